import type { OrderKey } from '#contract/orders.ts'

const names = ['token', 'session_id', 'order'] as const

/** What an address names an order by: the first of a mail's token, a payment, a number. @returns undefined when it names none */
export function orderKeyIn(parameters: URLSearchParams): OrderKey | undefined {
  const name = names.find((one) => parameters.get(one))
  return name && { [name]: parameters.get(name) ?? '' }
}
