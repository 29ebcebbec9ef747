/** A readable address made of a name: `Biscuit’s Café Mug` is `biscuits-cafe-mug`; empty if nothing of it can be one. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 100)
    .replace(/^-+|-+$/g, '')
