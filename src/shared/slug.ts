/** An address made of a name: `Rudy’s “Lazy” Café Mug` is `rudys-lazy-cafe-mug`; empty if nothing of it can be one. */
export const slugOf = (name: string, maxLength: number): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’"“”]/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, maxLength)
    .replace(/-$/, '')
