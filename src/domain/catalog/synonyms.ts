import type { ProductType } from './product-types.ts'

/** What people call the products: lower case, singular, with a space for a hyphen. Our own word comes first. */
export const productSynonyms: readonly { types: readonly ProductType[]; words: readonly string[] }[] = [
  { types: ['vented-hat', 'hat'], words: ['hat', 'cap', 'baseball cap', 'baseball hat', 'headwear'] },
  {
    types: ['vented-hat'],
    words: ['vented hat', 'trucker', 'trucker hat', 'trucker cap', 'mesh hat', 'mesh cap', 'snapback'],
  },
  { types: ['hat'], words: ['dad hat', 'dad cap'] },
  { types: ['visor'], words: ['visor', 'sun visor', 'eyeshade'] },
  { types: ['t-shirt'], words: ['t shirt', 'tshirt', 'tee', 'tee shirt', 'jersey'] },
  { types: ['t-shirt', 'polo'], words: ['shirt', 'top', 'clothes', 'clothing', 'apparel'] },
  { types: ['polo'], words: ['polo', 'polo shirt', 'golf shirt'] },
  { types: ['mug'], words: ['mug', 'cup', 'coffee mug', 'coffee cup', 'tea mug', 'teacup'] },
  { types: ['water-bottle'], words: ['water bottle', 'bottle', 'flask', 'thermos', 'drinking bottle'] },
  { types: ['mug', 'water-bottle', 'can-cooler'], words: ['drinkware'] },
  { types: ['pillow'], words: ['pillow', 'cushion', 'throw pillow'] },
  { types: ['blanket'], words: ['blanket', 'throw', 'throw blanket', 'fleece', 'plaid'] },
  { types: ['tote'], words: ['tote', 'bag', 'tote bag', 'shopping bag', 'shopper', 'carrier'] },
  {
    types: ['can-cooler'],
    words: ['can cooler', 'koozie', 'coozie', 'cozy', 'cooler', 'can sleeve', 'beer sleeve', 'stubby holder'],
  },
  { types: ['mouse-pad'], words: ['mouse pad', 'mousepad', 'mouse mat', 'mousemat', 'desk pad', 'desk mat'] },
]

/** Spellings of the same word. */
export const spellings: readonly (readonly string[])[] = [
  ['gray', 'grey'],
  ['color', 'colour'],
  ['piqué', 'pique'],
  ['jewellery', 'jewelry'],
  ['xxl', '2xl'],
  ['xxxl', '3xl'],
]

export const stopWords: ReadonlySet<string> = new Set(
  (
    'a an and any as at be but by do for from get have i in is it its me my of on or our please show some that the ' +
    'their them these this to want with you your'
  ).split(' '),
)
