import type { ApiPromise } from '../call/api-promise.ts';
import type { Resources } from './index.ts';
import type { OperationName } from './operations.ts';

/** The method of an operation. */
type MethodOf<Name extends OperationName> =
  Name extends `${infer Resource extends keyof Resources}.${infer Method}`
    ? Extract<Resources[Resource][Method & keyof Resources[Resource]], (...input: never) => unknown>
    : never;

/** Without an input, a method has one parameter: the options. */
type InputOf<Name extends OperationName> = Parameters<MethodOf<Name>>['length'] extends 0 | 1
  ? undefined
  : Parameters<MethodOf<Name>>[0];

type ResultOf<Name extends OperationName> =
  ReturnType<MethodOf<Name>> extends ApiPromise<infer Result> ? Result : never;

type InputsByName = { [Name in OperationName]: InputOf<Name> };
type ResultsByName = { [Name in OperationName]: ResultOf<Name> };

/*
 * The next two are interfaces, because the compiler resolves their members only when a type parameter is known. With
 * mapped types, it could not infer what a user's `authorize` should return.
 */

/** Input type of each operation, by name; `undefined` if it has none. */
export interface OperationInputs extends InputsByName {}

/** Result type of each operation, by name. */
export interface OperationResults extends ResultsByName {}
