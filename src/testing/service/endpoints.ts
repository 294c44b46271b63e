import { legacyEndpoints } from './legacy.ts';
import { restEndpoints } from './rest.ts';

const specified = { ...restEndpoints, ...legacyEndpoints };

/** An endpoint of the service by method and path, such as `DELETE /tag/{identifier}`, as section 4 of the specification writes them. */
export type Endpoint = keyof typeof specified;

/** An operation by the name that the client's errors carry, such as `tags.delete`. */
export type OperationName = (typeof specified)[Endpoint]['operation'];

/** An endpoint added with `sandbox.on`, by method and path. */
export type AddedEndpoint = string & Record<never, never>;

/** Every endpoint of the specification. */
export const endpoints = Object.keys(specified) as readonly Endpoint[];

/** Every operation of the specification. */
export const operationNames: readonly OperationName[] = Object.values(specified).map(
  ({ operation }) => operation,
);

/** Returns the name of an endpoint's operation; of an endpoint that was added, `undefined`. */
export const operationOf = (endpoint: string): OperationName | undefined =>
  Object.hasOwn(specified, endpoint) ? specified[endpoint as Endpoint].operation : undefined;
