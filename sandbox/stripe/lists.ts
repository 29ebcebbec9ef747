import type { Page } from './parameters.ts'
import { badRequest, resourceMissing } from './errors.ts'

const LIMIT_DEFAULT = 10

type ListedObject = { id: string; created?: number }

/**
 * A page of a list, newest first.
 * @param all in order of creation
 * @throws StripeError when the cursor is unknown
 */
export function pageOf<T extends ListedObject>(
  url: string,
  all: Iterable<T>,
  page: Page,
  fits: (one: T) => boolean = () => true,
) {
  if (page.starting_after && page.ending_before) {
    throw badRequest('You may only specify one of these parameters: starting_after, ending_before.')
  }
  const found = [...all].toReversed()
  const limit = page.limit ?? LIMIT_DEFAULT
  const cursor = page.starting_after ?? page.ending_before
  const at = cursor === undefined ? -1 : found.findIndex(({ id }) => id === cursor)
  if (cursor !== undefined && at < 0) {
    throw resourceMissing('object', cursor, page.starting_after ? 'starting_after' : 'ending_before')
  }
  const isWanted = (one: T) => isCreatedIn(one, page.created) && fits(one)
  if (page.ending_before) {
    const newer = found.slice(0, at).filter(isWanted)
    return { object: 'list' as const, data: newer.slice(-limit), has_more: newer.length > limit, url }
  }
  const older = found.slice(at + 1).filter(isWanted)
  return { object: 'list' as const, data: older.slice(0, limit), has_more: older.length > limit, url }
}

function isCreatedIn({ created }: ListedObject, range: Page['created']): boolean {
  if (range === undefined || created === undefined) return true
  if (typeof range === 'number') return created === range
  return (
    (range.gt === undefined || created > range.gt) &&
    (range.gte === undefined || created >= range.gte) &&
    (range.lt === undefined || created < range.lt) &&
    (range.lte === undefined || created <= range.lte)
  )
}
