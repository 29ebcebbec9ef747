/**
 * What a form without script came to, as the address that it leads to names it (`?said=`). Only words of this table are shown:
 * an address can be sent by anybody.
 */
const sentences: Readonly<Record<string, string>> = {
  added: 'Added to your cart.',
  reordered: 'Everything from that order is in your cart, at today’s prices.',
  reordered_partly: 'What is still made is in your cart, at today’s prices. Some of that order can no longer be had.',
  changed: 'Your cart is up to date.',
  invalid: 'That did not work: a quantity is a whole number up to 99. Your cart is as it was.',
  sold_out: 'This one has just sold out in that color and size. Nothing was added.',
  unknown_variant: 'It is not made in that color and size. Nothing was added.',
  variant_required: 'Choose your preferred color and size before adding to cart.',
  unknown_line: 'This item is no longer in your cart.',
}

const good: readonly string[] = ['added', 'changed', 'reordered', 'reordered_partly']

export type FormMessage = { text: string; isGood: boolean }

/** @returns undefined where nothing was said, or nothing that we know */
export function formMessageIn(parameters: URLSearchParams): FormMessage | undefined {
  const code = parameters.get('said') ?? ''
  const text = Object.hasOwn(sentences, code) ? sentences[code] : undefined
  return text === undefined ? undefined : { text, isGood: good.includes(code) }
}
