import { say } from '#words/say.ts'

/**
 * Results of forms without JavaScript (`?said=`) and of links with a discount code (`#said=`). Anybody can send a link, so only
 * these texts are shown.
 */
const messages = (): Readonly<Record<string, string>> => ({
  added: say('Added to your cart.'),
  reordered: say('Everything from that order is in your cart, at today’s prices.'),
  reordered_partly: say(
    'What we still make is in your cart, at today’s prices. The rest of that order is no longer available.',
  ),
  changed: say('Your cart has been updated.'),
  invalid: say('Please enter a whole number up to 99. Your cart is unchanged.'),
  code_added: say('The code is in your cart.'),
  code_removed: say('The code is no longer in your cart.'),
  code_unusable: say('This code doesn’t exist, or can’t be used now. Please check its spelling.'),
  code_alone: say('This code can’t be used together with the one in your cart.'),
  too_many: say('Too many codes in a short time. Please wait a few minutes and try again.'),
  sold_out: say('That color and size has just sold out. Nothing was added.'),
  unknown_variant: say('We don’t make it in that color and size. Nothing was added.'),
  variant_required: say('Choose your preferred color and size before adding to cart.'),
  restored: say('Your cart is here.'),
  restored_partly: say('Your cart is here, without what we no longer make.'),
  unknown_saved_cart: say('This link doesn’t work anymore. A saved cart can be opened for 30 days.'),
  unknown_line: say('This item is no longer in your cart.'),
})

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
  const known = messages()
  const text = Object.hasOwn(known, code) ? known[code] : undefined
  return text === undefined ? undefined : { text, isSuccess: successCodes.includes(code) }
}
