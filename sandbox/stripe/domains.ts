import type Stripe from 'stripe'
import type { z } from 'zod'
import { newId, seconds } from './books.ts'
import type { Needs } from './needs.ts'
import type { createDomain, updateDomain } from './parameters.ts'
import { resourceMissing } from './errors.ts'

/** The file that Stripe gives shops to serve; the simulator's own, in the same form. */
export const APPLE_PAY_FILE = Buffer.from('{"version":1,"pspId":"sandbox"}').toString('hex')

const active = (): Stripe.PaymentMethodDomain.ApplePay => ({ status: 'active' })

/** Apple fetches it over https from a public name only. */
const appleStatus = (domain: string): Stripe.PaymentMethodDomain.ApplePay =>
  /\.[a-z]{2,}$/i.test(domain)
    ? active()
    : { status: 'inactive', status_details: { error_message: 'Unable to verify domain. Apple could not reach it.' } }

export function registerDomain(
  { books, kit }: Needs,
  { domain_name: name, enabled = true }: z.output<typeof createDomain>,
): Stripe.PaymentMethodDomain {
  const known = [...books.domains.values()].find((domain) => domain.domain_name === name)
  if (known) return known
  const domain: Stripe.PaymentMethodDomain = {
    id: newId('pmd'),
    object: 'payment_method_domain',
    amazon_pay: active(),
    apple_pay: appleStatus(name),
    created: seconds(kit.clock.now()),
    domain_name: name,
    enabled,
    google_pay: active(),
    klarna: active(),
    link: active(),
    livemode: false,
    paypal: active(),
  }
  books.domains.set(domain.id, domain)
  return domain
}

export function findDomain({ books }: Needs, id: string): Stripe.PaymentMethodDomain {
  const domain = books.domains.get(id)
  if (!domain) throw resourceMissing('payment method domain', id)
  return domain
}

export function changeDomain(needs: Needs, id: string, { enabled }: z.output<typeof updateDomain>) {
  const changed = { ...findDomain(needs, id), ...(enabled !== undefined && { enabled }) }
  needs.books.domains.set(id, changed)
  return changed
}
