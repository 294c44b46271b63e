/** Set by the build to the version in the manifest. */
declare const PACKAGE_VERSION: string | undefined;

/** Version of this package, as published; `development` if the sources run without a build. */
export const version: string = typeof PACKAGE_VERSION === 'string' ? PACKAGE_VERSION : 'development';
