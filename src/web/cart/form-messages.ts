/**
 * Results of forms without JavaScript (`?said=`) and of links with a discount code (`#said=`). Anybody can send a link, so only
 * these texts are shown.
 */
const messages: Readonly<Record<string, string>> = {
  added: 'Added to your cart.',
  reordered: 'Everything from that order is in your cart, at today’s prices.',
  reordered_partly:
    'What we still make is in your cart, at today’s prices. The rest of that order is no longer available.',
  changed: 'Your cart has been updated.',
  invalid: 'Please enter a whole number up to 99. Your cart is unchanged.',
  code_added: 'The code is in your cart.',
  code_removed: 'The code is no longer in your cart.',
  code_unusable: 'This code doesn’t exist, or can’t be used now. Please check its spelling.',
  code_alone: 'This code can’t be used together with the one in your cart.',
  too_many: 'Too many codes in a short time. Please wait a few minutes and try again.',
  sold_out: 'That color and size has just sold out. Nothing was added.',
  unknown_variant: 'We don’t make it in that color and size. Nothing was added.',
  variant_required: 'Choose your preferred color and size before adding to cart.',
  restored: 'Your cart is here.',
  restored_partly: 'Your cart is here, without what we no longer make.',
  unknown_saved_cart: 'This link doesn’t work anymore. A saved cart can be opened for 30 days.',
  unknown_line: 'This item is no longer in your cart.',
}

const successCodes: readonly string[] = [
  'added',
  'changed',
  'reordered',
  'reordered_partly',
  'code_added',
  'code_removed',
  'restored',
  'restored_partly',
]

export type FormMessage = { text: string; isSuccess: boolean }

/** @returns undefined without a known code */
export function formMessageIn(parameters: URLSearchParams): FormMessage | undefined {
  const code = parameters.get('said') ?? ''
  const text = Object.hasOwn(messages, code) ? messages[code] : undefined
  return text === undefined ? undefined : { text, isSuccess: successCodes.includes(code) }
}
