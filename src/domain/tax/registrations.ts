import { isDelivered } from '#domain/checkout/countries.ts'
import { europeanUnion } from './european-union.ts'
import { thresholds } from './thresholds.ts'

/** A registration of the owner's settings. */
type Registration = { place: string; number: string; since: string }

const states = new Set(thresholds.map(({ place }) => place).filter((place) => place.startsWith('US-')))

/** `DE`, `EU` for the One Stop Shop, or a state with a sales tax such as `US-NY`: there is no registration for all of them. */
export const isTaxPlace = (place: string): boolean =>
  place === 'EU' || (place !== 'US' && isDelivered(place)) || states.has(place)

/** The registration under which a place's tax is reported. @param last ISO date until which a sale counts */
export const registrationFor = <Row extends Registration>(
  { country, state }: { country: string; state: string },
  registrations: readonly Row[],
  last: string,
): Row | undefined => {
  const since = registrations.filter((one) => one.since <= last)
  const own = country === 'US' ? `US-${state}` : country
  return (
    since.find(({ place }) => place === own) ??
    (europeanUnion.has(country) ? since.find(({ place }) => place === 'EU') : undefined)
  )
}
