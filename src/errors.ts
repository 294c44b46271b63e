export * from './errors/api-errors.ts';
export * from './errors/base.ts';
export * from './errors/call-errors.ts';
