/** A LIKE pattern in which the typed `%`, `_` and backslash match themselves. */
export const containsPattern = (typed: string): string => `%${typed.replace(/[\\%_]/g, String.raw`\$&`)}%`
