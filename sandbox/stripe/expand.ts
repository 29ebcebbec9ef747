import { badRequest } from './errors.ts'

const DEPTH_MAX = 4 // docs.stripe.com/api/expanding_objects

type Fields = Record<string, unknown>

/** Fields that are missing from a response unless expanded. */
type Extra = (object: Fields, field: string) => unknown

/**
 * Replaces ids with the objects they name, in place.
 * @param paths such as `latest_charge.balance_transaction` or `data.source`
 * @param find returns a copy of the object with this id, undefined if unknown
 * @param extra returns what Stripe includes only on request, undefined when there is no such field
 * @throws StripeError for a path that leads nowhere
 */
export function expandIn(answer: unknown, paths: readonly string[], find: (id: string) => unknown, extra: Extra): void {
  for (const [index, path] of paths.entries()) {
    const segments = path.split('.')
    if (segments.length > DEPTH_MAX) {
      throw badRequest(`You cannot expand more than ${DEPTH_MAX} levels of a property (${path}).`, {
        code: 'parameter_invalid_string',
        param: `expand[${index}]`,
      })
    }
    follow(answer, segments)
  }

  function follow(value: unknown, [field, ...rest]: readonly string[]): void {
    if (field === undefined || value === null || typeof value !== 'object') return
    if (Array.isArray(value)) {
      for (const one of value) follow(one, [field, ...rest])
      return
    }
    const object = value as Fields
    const had = object[field] ?? extra(object, field)
    if (had === undefined && field in object) return
    const found = typeof had === 'string' ? find(had) : had
    if (found === undefined || (found !== null && typeof found !== 'object')) throw cannotExpand(field)
    object[field] = found
    follow(found, rest)
  }
}

const cannotExpand = (field: string) =>
  badRequest(`This property cannot be expanded (${field}).`, { code: 'parameter_invalid_string', param: 'expand' })
