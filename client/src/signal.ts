/** The kind of value that an edge carries. */
export type Kind = 'number' | 'boolean';

/** The output of a node, as an input of others takes it. */
export type Signal<K extends Kind = Kind> = { readonly id: string; readonly kind?: K };

/** A setting: its value, or the name of a parameter of the graph. */
export type Setting<Value> = Value | { readonly parameter: string };
