/** The version of this package, as published. */
export const version = '0.1.0';
