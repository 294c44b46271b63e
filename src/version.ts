import manifest from '../package.json' with { type: 'json' };

/** The version of this package, as published. */
export const version: string = manifest.version;
