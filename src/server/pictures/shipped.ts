import { existsSync, readdirSync } from 'node:fs'

/** The demo's pictures, part of every deployment; those that owners add lie in the database. */
export const finished = new URL('../../../pictures/finished/', import.meta.url)

const names = existsSync(finished) ? readdirSync(finished).filter((name) => name.endsWith('.webp')) : []

const shipped = new Set(names.map((name) => name.replace(/\.\d+\.\w+$/, '')))

/** Whether the shop comes with a picture. @param file name without width and extension */
export const isShipped = (file: string): boolean => shipped.has(file)

const withoutHash = (name: string) => name.replace(/\.[0-9a-f]{10}(?=\.\d+\.\w+$)/, '')

const nowByName = new Map(names.map((name) => [withoutHash(name), name]))

/**
 * Emails, orders and carts keep the address of a picture that a later version of the shop comes with again.
 * @param name of a file that there is no longer
 * @returns its name now, undefined if there is no such picture
 */
export const successorOf = (name: string): string | undefined => {
  const known = withoutHash(name)
  return nowByName.get(known) ?? nowByName.get(known.replace(/\.(held|folded)\./, '.worn.')) // shirts once were
}
