/** A node type as the package knows it: its ports, and its settings. */

export type Kind = 'number' | 'boolean';
export type PortCondition = { readonly setting: string; readonly in: readonly string[] };
export type InputOutline = {
  readonly name: string;
  readonly kind: Kind;
  readonly many: boolean;
  readonly when?: PortCondition;
};
type SettingOutline = { readonly values?: readonly unknown[]; readonly default?: unknown };
export type Variant = {
  readonly required: readonly string[];
  readonly settings: Readonly<Record<string, SettingOutline>>;
};
/** A node type: its ports, and its settings, in variants if some of them exclude each other. */
export type NodeOutline = {
  readonly type: string;
  readonly inputs: readonly InputOutline[];
  readonly outputs: readonly { readonly kind: Kind; readonly when?: PortCondition }[];
  readonly variants: readonly Variant[];
};
