/**
 * The object classes to which features add methods, by name. Each declares itself here, so that a
 * feature can be described without importing them.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the files of the classes complete it.
export interface ExtensibleObjects {}

/** Returns a subclass of a class of the core, whose `protected` members it may use. */
type Mixin<Class> = (Base: Class) => Class

/** What a feature adds to each of the classes. */
export type Mixins = { readonly [Name in keyof ExtensibleObjects]?: Mixin<ExtensibleObjects[Name]> }
