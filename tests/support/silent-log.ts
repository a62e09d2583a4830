const nothing = (): void => {};

/** A log that writes nothing. */
export const SILENT_LOG = { info: nothing, warn: nothing, error: nothing };
