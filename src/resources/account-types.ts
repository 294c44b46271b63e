/**
 * Names of your account's tags, custom fields and events. Declare yours once, and the compiler rejects all other names
 * in both clients. This matters because {@link Legacy.identify} creates missing tags and fields, so a typo is
 * permanent. A member that you leave out allows every name.
 *
 * @example
 * <!-- no-check: it would apply to every other example, too -->
 * ```ts
 * declare module 'email-marketing-client' {
 *   interface AccountTypes {
 *     tags: 'customer' | 'vip';
 *     customFields: { plan: 'free' | 'pro'; points: number };
 *     events: { 'Order placed': { total: string } };
 *   }
 * }
 * ```
 */
// biome-ignore lint/suspicious/noEmptyInterface: its members are those that users declare
export interface AccountTypes {}

type Declared<Member extends string, Otherwise> =
  AccountTypes extends Readonly<Record<Member, infer Names>>
    ? Names
    : keyof AccountTypes extends 'tags' | 'customFields' | 'events'
      ? Otherwise
      : 'AccountTypes can declare tags, customFields and events only';

/** Name of a tag: one that {@link AccountTypes} declares, or any. */
export type TagName = Declared<'tags', string>;

/** Values by the name of the custom field: those that {@link AccountTypes} declares, or any. */
export type CustomFieldValues =
  Declared<'customFields', NamedValues> extends infer Fields
    ? string extends keyof Fields
      ? NamedValues
      : { readonly [Name in keyof Fields]?: ValueOf<Fields[Name]> | null | undefined }
    : never;

type NamedValues = Readonly<Record<string, string | number | null | undefined>>;

/** A field of type number also takes the text of `increment` and `decrement`. */
type ValueOf<Type> = Type extends number ? Type | `${'++' | '--'}${number}` : Extract<Type, string>;

/** Data by the name of the event: those that {@link AccountTypes} declares, or any. */
export type EventsByName = Declared<'events', Readonly<Record<string, NamedValues>>>;
