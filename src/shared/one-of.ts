/** Whether a text is one of a list's, as a type guard. */
export const isOneOf = <Item extends string>(all: readonly Item[], text: string | null | undefined): text is Item =>
  all.some((item) => item === text)
