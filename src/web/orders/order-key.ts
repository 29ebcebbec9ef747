import type { OrderKey } from '#contract/orders.ts'

const names = ['token', 'session_id', 'order'] as const

/** @returns how the page's address names an order (an email's token, a payment or an order number); undefined if it names none */
export function orderKeyIn(parameters: URLSearchParams): OrderKey | undefined {
  const name = names.find((candidate) => parameters.get(candidate))
  return name && { [name]: parameters.get(name) ?? '' }
}
