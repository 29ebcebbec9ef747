import { existsSync, readdirSync } from 'node:fs'

/** The demo's pictures, part of every deployment; those that owners add lie in the database. */
export const finished = new URL('../../../pictures/finished/', import.meta.url)

const shipped = new Set(
  existsSync(finished) ? readdirSync(finished).map((name) => name.replace(/\.\d+\.\w+$/, '')) : [],
)

/** Whether the shop comes with a picture. @param file name without width and extension */
export const isShipped = (file: string): boolean => shipped.has(file)

const withoutHash = (file: string) => file.replace(/\.[0-9a-f]{10}$/, '')

const shippedNow = new Map([...shipped].map((file) => [withoutHash(file), file]))

/**
 * Emails, orders and carts keep the address of a picture that a later version of the shop comes with anew.
 * @param name of a file that there is no longer
 * @returns its name now, undefined if there is no such picture
 */
export function successorOf(name: string): string | undefined {
  const [, file = '', end = ''] = /^(.+?)(\.\d+\.\w+)$/.exec(name) ?? []
  const now = shippedNow.get(withoutHash(file))
  return now && now !== file ? now + end : undefined
}
