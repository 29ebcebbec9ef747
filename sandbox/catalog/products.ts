import type { DemoColor, DemoProduct } from './demo-product.ts'

/** Colors are defined once: Charcoal is the same on a cap, a tote and a swatch. */
const dyes = {
  charcoal: { name: 'Charcoal', hex: '#2b2b2e' },
  ivory: { name: 'Ivory', hex: '#f3eee2' },
  navy: { name: 'Navy', hex: '#1f2a44' },
  black: { name: 'Vault Black', hex: '#1b1a1c' },
  white: { name: 'Chalk White', hex: '#f6f5f1' },
  heatherSand: { name: 'Heather Sand', hex: '#cdbfa6' },
  heatherGrey: { name: 'Heather Grey', hex: '#a5a7aa' },
  oatmeal: { name: 'Oatmeal', hex: '#ded3bf' },
  pewter: { name: 'Pewter', hex: '#7f8488' },
  slate: { name: 'Slate Blue', hex: '#52606e' },
  espresso: { name: 'Espresso', hex: '#46332a' },
  burgundy: { name: 'Burgundy', hex: '#5c2331' },
  brick: { name: 'Brick', hex: '#8b4034' },
  forest: { name: 'Forest', hex: '#223d2f' },
  moss: { name: 'Moss', hex: '#666d45' },
  tweed: { name: 'Tweed Brown', hex: '#75614a' },
  petrol: { name: 'Petrol', hex: '#1f4750' },
  sage: { name: 'Sage', hex: '#a6b39a' },
  leaf: { name: 'Leaf Green', hex: '#56803f' },
  coral: { name: 'Coral', hex: '#dd7660' },
  sky: { name: 'Washed Sky', hex: '#a8c1d3' },
  butter: { name: 'Butter', hex: '#efdca3' },
  rose: { name: 'Dusty Rose', hex: '#c79a93' },
} as const satisfies Record<string, DemoColor>

const accents = {
  gold: { name: 'Gold', hex: '#b98d3c' },
  amber: { name: 'Amber', hex: '#bf7d2c' },
  charcoal: dyes.charcoal,
  ivory: dyes.ivory,
  black: { name: 'Black', hex: '#1b1a1c' },
  forest: dyes.forest,
  navy: dyes.navy,
  brick: dyes.brick,
  leaf: { name: 'Leaf', hex: '#56803f' },
  coral: dyes.coral,
  sky: { name: 'Sky', hex: '#a8c1d3' },
} as const satisfies Record<string, DemoColor>

/** A two-part product names both colors: `Ivory with Gold` is an ivory mug with a gold inside, or an ivory cap with gold mesh. */
const twoTone = (body: DemoColor, second: DemoColor): DemoColor => ({
  name: `${body.name} with ${second.name}`,
  hex: body.hex,
  accent: second.hex,
})

const oneSize = ['One size'] as const
const shirtSizes = ['S', 'M', 'L', 'XL', '2XL', '3XL'] as const

/** Specification, section 9: shipping pillows costs 34.99 USD more to these four; the sentence is shown before payment. */
const pillowMetadata = {
  shipping_surcharge: {
    amount: 34.99,
    regions: ['BR', 'JP', 'AU', 'NZ'],
    description: 'Pillows ship as oversize parcels: each one adds {amount} to an order going to {countries}.',
    enabled: true,
  },
}

/**
 * The demo shop's 36 products: 24 of rudy, 8 of sherlock, 4 of example. Gaps in the ids are withdrawn products, so a
 * page for an id between two others can be missing, as in a real shop.
 */
export const demoProducts: readonly DemoProduct[] = [
  {
    id: 1,
    slug: 'rudy-vented-hat-market-closed',
    name: 'Rudy Vented Hat "Market Closed"',
    description:
      'A structured trucker cap with an open mesh back, embroidered with Rudy in the position he holds through most announcements, and a sign that says so. ' +
      'The mesh lets warm air out and the curved brim keeps bad news from getting in. ' +
      'Cotton twill front, snap closure, one size for heads of most opinions.',
    collection: 'rudy',
    type: 'vented-hat',
    design: 'rudy-market-closed',
    badge: 'BEST SELLER',
    syncProductId: 371204815,
    mapped: true,
    requiresOptions: false,
    colors: [
      twoTone(dyes.charcoal, accents.black),
      twoTone(dyes.ivory, accents.charcoal),
      twoTone(dyes.navy, accents.ivory),
      twoTone(dyes.espresso, accents.ivory),
      twoTone(dyes.forest, accents.black),
    ],
    sizes: oneSize,
    retailPrice: { '*': '36.95' },
    cost: '16.20',
    soldOut: [{ color: 'Espresso with Ivory', size: 'One size' }],
  },
  {
    id: 2,
    slug: 'rudy-vented-hat-bid-ask-nap',
    name: 'Rudy Vented Hat "Bid, Ask, Nap"',
    description:
      'Three lines of a ticker, embroidered on a firm cotton front: one goes up, one goes down, and the third is Rudy’s. ' +
      'Behind them is polyester mesh, the breathable part of the trade. ' +
      'The snap at the back has seven settings, which is more flexibility than Rudy has shown on any subject.',
    collection: 'rudy',
    type: 'vented-hat',
    design: 'rudy-bid-ask-nap',
    badge: 'NEW ARRIVAL',
    syncProductId: 371204822,
    mapped: true,
    requiresOptions: false,
    colors: [
      twoTone(dyes.black, accents.charcoal),
      twoTone(dyes.heatherGrey, accents.ivory),
      twoTone(dyes.navy, accents.navy),
      twoTone(dyes.burgundy, accents.ivory),
    ],
    sizes: oneSize,
    retailPrice: { '*': '36.95' },
    cost: '16.20',
  },
  {
    id: 3,
    slug: 'rudy-hat-after-hours',
    name: 'Rudy Hat "After Hours"',
    description:
      'A six-panel hat in cotton chino twill, with Rudy, his nightcap and the moon embroidered on the front. ' +
      'It is a hat on which a dog wears the better hat. ' +
      'The buckle at the back adjusts for ears, hair or confidence.',
    collection: 'rudy',
    type: 'hat',
    design: 'rudy-nightcap',
    badge: 'BEST SELLER',
    syncProductId: 371204837,
    mapped: true,
    requiresOptions: false,
    colors: [dyes.charcoal, dyes.heatherSand, dyes.navy, dyes.burgundy, dyes.ivory],
    sizes: oneSize,
    retailPrice: { '*': '33.95' },
    cost: '14.35',
  },
  {
    id: 4,
    slug: 'rudy-hat-fully-allocated',
    name: 'Rudy Hat "Fully Allocated"',
    description:
      'Dense embroidery on cotton twill, with a rounded crown and a brim that arrives already curved. ' +
      'Every ingot in the picture is accounted for, because Rudy is lying on it. ' +
      'The fabric strap tucks away behind, out of sight of auditors.',
    collection: 'rudy',
    type: 'hat',
    design: 'rudy-ingots',
    syncProductId: 371204840,
    mapped: true,
    requiresOptions: false,
    colors: [dyes.black, dyes.espresso, dyes.slate, dyes.oatmeal, dyes.forest],
    sizes: oneSize,
    retailPrice: { '*': '33.95' },
    cost: '14.35',
  },
  {
    id: 5,
    slug: 'rudy-visor-shade-standard',
    name: 'Rudy Visor "Shade Standard"',
    description:
      'All brim and no crown, for people who like the sun from the eyebrows up. ' +
      'Rudy is embroidered on the cotton front band under a parasol, as he prefers. ' +
      'A hook-and-loop strap closes it, audibly.',
    collection: 'rudy',
    type: 'visor',
    design: 'rudy-shade',
    syncProductId: 371204868,
    mapped: true,
    requiresOptions: false,
    colors: [dyes.ivory, dyes.charcoal, dyes.navy, dyes.heatherSand],
    sizes: oneSize,
    retailPrice: { '*': '32.00' },
    cost: '13.10',
  },
  {
    id: 6,
    slug: 'rudy-visor-low-visibility',
    name: 'Rudy Visor "Low Visibility"',
    description:
      'A wide brim in light cotton twill, with a terry band inside that takes up sweat before your sunglasses do. ' +
      'The nightcap on the front is embroidered, tassel included, and covers both eyes. ' +
      'Rudy has never been seen outdoors at noon, so we had to imagine it.',
    collection: 'rudy',
    type: 'visor',
    design: 'rudy-low-visibility',
    syncProductId: 371204871,
    mapped: true,
    requiresOptions: false,
    colors: [dyes.white, dyes.black, dyes.slate],
    sizes: oneSize,
    retailPrice: { '*': '30.95' },
    cost: '12.40',
  },
  {
    id: 7,
    slug: 'rudy-t-shirt-asleep-at-the-vault',
    name: 'Rudy T-Shirt "Asleep at the Vault"',
    description:
      'Midweight ring-spun cotton, cut straight, with a taped neck that still lies flat after the tenth wash. ' +
      'Rudy is printed across the chest with water-based inks that you cannot feel from inside. ' +
      'He was asked to guard the vault and, to be fair, he stayed all night.',
    collection: 'rudy',
    type: 't-shirt',
    design: 'rudy-vault',
    print: 'large',
    badge: 'BEST SELLER',
    syncProductId: 371204906,
    mapped: true,
    requiresOptions: true,
    colors: [dyes.charcoal, dyes.ivory, dyes.navy, dyes.heatherSand, dyes.burgundy, dyes.forest],
    sizes: shirtSizes,
    retailPrice: { '*': '32.95', '2XL': '34.95', '3XL': '36.95' },
    cost: '13.25',
    soldOut: [
      { color: 'Heather Sand', size: 'M' },
      { color: 'Burgundy', size: '3XL' },
    ],
  },
  {
    id: 8,
    slug: 'rudy-t-shirt-flat-market',
    name: 'Rudy T-Shirt "Flat Market"',
    description:
      'On some days the gold price does nothing at all, and one dog has built a career on that. ' +
      'The print goes straight into pre-shrunk combed cotton, so folds pass through the chart without cracking it. ' +
      'Side seams, double-stitched hems, sizes from S to 3XL.',
    collection: 'rudy',
    type: 't-shirt',
    design: 'rudy-flat-market',
    print: 'large',
    syncProductId: 371204913,
    mapped: true,
    requiresOptions: true,
    colors: [dyes.black, dyes.white, dyes.slate, dyes.espresso, dyes.heatherGrey, dyes.petrol],
    sizes: shirtSizes,
    retailPrice: { '*': '32.95', '2XL': '34.95', '3XL': '36.95' },
    cost: '13.25',
  },
  {
    id: 9,
    slug: 'rudy-t-shirt-nightcap',
    name: 'Rudy T-Shirt "Nightcap"',
    description:
      'Sold as a day shirt, worn as a nightshirt by everybody who has tested it. ' +
      'A soft jersey of pre-shrunk ring-spun cotton, printed small on the heart side with Rudy in full evening dress, which is to say a cap. ' +
      'Wash it cold and inside out, then lie down while it dries.',
    collection: 'rudy',
    type: 't-shirt',
    design: 'rudy-nightcap',
    print: 'chest',
    badge: 'NEW ARRIVAL',
    syncProductId: 371204929,
    mapped: true,
    requiresOptions: true,
    colors: [dyes.navy, dyes.oatmeal, dyes.charcoal, dyes.rose, dyes.sage, dyes.sky],
    sizes: shirtSizes,
    retailPrice: { '*': '34.50', '2XL': '36.50', '3XL': '38.50' },
    cost: '13.25',
  },
  {
    id: 10,
    slug: 'rudy-polo-quarterly-nap',
    name: 'Rudy Polo "Quarterly Nap"',
    description:
      'A polo with a knitted collar and three buttons, presentable in any meeting that has a camera. ' +
      'On its piqué of polyester and cotton Rudy sleeps above his coat of arms in about nine thousand stitches of embroidery. ' +
      'From six feet away he reads as a company crest, from three as a statement about the company.',
    collection: 'rudy',
    type: 'polo',
    design: 'rudy-crest',
    badge: 'LIMITED EDITION',
    syncProductId: 371204954,
    mapped: true,
    requiresOptions: true,
    colors: [dyes.charcoal, dyes.navy, dyes.ivory, dyes.burgundy, dyes.heatherGrey],
    sizes: shirtSizes,
    retailPrice: { '*': '50.95', '2XL': '52.95', '3XL': '54.95' },
    cost: '24.80',
  },
  {
    id: 11,
    slug: 'rudy-mug-11-oz-opening-bell',
    name: 'Rudy Mug 11 oz "Opening Bell"',
    description:
      'Eleven ounces of ceramic for people who mean to be asleep again by the close. ' +
      'Rudy and the bell at his ear are pressed into the glossy coating: in your right hand they face you, in your left they are your colleagues’ problem. ' +
      'The inside and the handle carry the second color; dishwasher and microwave are both fine.',
    collection: 'rudy',
    type: 'mug',
    design: 'rudy-opening-bell',
    syncProductId: 371204988,
    mapped: true,
    requiresOptions: false,
    colors: [
      twoTone(dyes.ivory, accents.gold),
      twoTone(dyes.white, accents.charcoal),
      twoTone(dyes.white, accents.navy),
      twoTone(dyes.charcoal, accents.ivory),
    ],
    sizes: oneSize,
    retailPrice: { '*': '23.95' },
    cost: '7.45',
  },
  {
    id: 12,
    slug: 'rudy-mug-15-oz-second-coffee',
    name: 'Rudy Mug 15 oz "Second Coffee"',
    description:
      'A mug with a dog asleep against a cup of coffee, in case the first one raised no questions. ' +
      'Fifteen ounces, thick-walled ceramic, printed all the way into the gloss. ' +
      'It keeps warm for about as long as Rudy keeps watch, so drink at a steady pace.',
    collection: 'rudy',
    type: 'mug',
    design: 'rudy-mug',
    badge: 'BEST SELLER',
    syncProductId: 371205003,
    mapped: true,
    requiresOptions: false,
    colors: [
      twoTone(dyes.white, accents.gold),
      twoTone(dyes.ivory, accents.charcoal),
      twoTone(dyes.white, accents.brick),
    ],
    sizes: oneSize,
    retailPrice: { '*': '25.95' },
    cost: '8.90',
    soldOut: [{ color: 'Chalk White with Brick', size: 'One size' }],
  },
  {
    id: 14,
    slug: 'rudy-mug-15-oz-bull-bear-dog',
    name: 'Rudy Mug 15 oz "Bull, Bear, Dog"',
    description:
      'There are two animals that everybody in the market talks about, and a third that nobody has managed to wake. ' +
      'He is printed here between the other two, on a tall ceramic mug that holds fifteen ounces. ' +
      'The handle takes four fingers, or three and a ring you are thinking of selling.',
    collection: 'rudy',
    type: 'mug',
    design: 'rudy-bull-bear',
    syncProductId: 371205016,
    mapped: true,
    requiresOptions: false,
    colors: [
      twoTone(dyes.charcoal, accents.gold),
      twoTone(dyes.white, accents.black),
      twoTone(dyes.ivory, accents.forest),
    ],
    sizes: oneSize,
    retailPrice: { '*': '25.95' },
    cost: '8.90',
  },
  {
    id: 15,
    slug: 'rudy-water-bottle-liquid-assets',
    name: 'Rudy Water Bottle "Liquid Assets"',
    description:
      'Seventeen ounces between two walls of stainless steel with nothing in between, which is what keeps it cold for a day. ' +
      'The picture of Rudy in a bath of gold is printed onto a powder coat that hides fingerprints. ' +
      'The lid closes with a quarter turn, which is as fast as he has ever been seen to move.',
    collection: 'rudy',
    type: 'water-bottle',
    design: 'rudy-liquid-assets',
    syncProductId: 371205041,
    mapped: true,
    requiresOptions: false,
    colors: [dyes.charcoal, dyes.ivory, dyes.navy],
    sizes: oneSize,
    retailPrice: { '*': '38.95' },
    cost: '17.60',
    metadata: { restrictions: { blocked_countries: ['IN'] } },
  },
  {
    id: 16,
    slug: 'rudy-water-bottle-slow-drip',
    name: 'Rudy Water Bottle "Slow Drip"',
    description:
      'The seventeen-ounce bottle for the bedside, with a screw cap that does not hiss at three in the morning. ' +
      'His nightcap, a row of drops and the sound he makes are printed all around the coated metal and survive a bag with keys in it. ' +
      'Hand wash; the neck takes small ice cubes, in single file.',
    collection: 'rudy',
    type: 'water-bottle',
    design: 'rudy-slow-drip',
    print: 'all-over',
    syncProductId: 371205058,
    mapped: true,
    requiresOptions: false,
    colors: [dyes.white, dyes.black, dyes.slate],
    sizes: oneSize,
    retailPrice: { '*': '35.95' },
    cost: '15.25',
  },
  {
    id: 17,
    slug: 'rudy-pillow-18x18-soft-landing',
    name: 'Rudy Pillow 18x18 "Soft Landing"',
    description:
      'Central banks promise one every few years; this one is eighteen inches square and filled with polyester. ' +
      'Rudy comes down by parachute, printed edge to edge on a woven cover with a hidden zipper. ' +
      'Take the cover off before washing and put it back on before he notices.',
    collection: 'rudy',
    type: 'pillow',
    design: 'rudy-soft-landing',
    print: 'large',
    syncProductId: 371205072,
    mapped: true,
    requiresOptions: false,
    colors: [dyes.ivory, dyes.charcoal, dyes.heatherSand],
    sizes: oneSize,
    retailPrice: { '*': '40.95' },
    cost: '18.75',
    metadata: pillowMetadata,
  },
  {
    id: 18,
    slug: 'rudy-pillow-18x18-safe-deposit',
    name: 'Rudy Pillow 18x18 "Safe Deposit"',
    description:
      'A printed throw pillow for sofas with assets to protect, such as the good end. ' +
      'The faux-linen cover feels dry and slightly rough, like paper money, and shows Rudy in his box on both sides. ' +
      'Insert included, eighteen by eighteen inches, plumped by hand before it leaves.',
    collection: 'rudy',
    type: 'pillow',
    design: 'rudy-safe-deposit',
    print: 'large',
    syncProductId: 371205079,
    mapped: true,
    requiresOptions: false,
    colors: [dyes.navy, dyes.oatmeal],
    sizes: oneSize,
    retailPrice: { '*': '40.95' },
    cost: '18.75',
    metadata: pillowMetadata,
  },
  {
    id: 19,
    slug: 'rudy-blanket-50x60-night-session',
    name: 'Rudy Blanket 50x60 "Night Session"',
    description:
      'Fifty by sixty inches, brushed fleece in front and sherpa behind. Enough for one adult, or for a dog and the edge of an adult. ' +
      'Rudy in his nightcap, moons and the candlesticks of a quiet night are printed all over the front, and the back stays plain and pale. ' +
      'It is folded by hand and travels flat, so it arrives without the creases that he would have to lie on.',
    collection: 'rudy',
    type: 'blanket',
    design: 'rudy-night-session',
    print: 'all-over',
    syncProductId: 371205110,
    mapped: true,
    requiresOptions: false,
    colors: [dyes.navy, dyes.ivory, dyes.charcoal],
    sizes: oneSize,
    retailPrice: { '*': '62.95' },
    cost: '31.40',
    metadata: { restrictions: { shipping_delay_regions: ['AU', 'NZ'] } },
  },
  {
    id: 20,
    slug: 'rudy-blanket-50x60-gold-cover',
    name: 'Rudy Blanket 50x60 "Gold Cover"',
    description:
      'The quieter of the two Rudy blankets, printed plush on the face and sherpa on the back. ' +
      'Rudy is drawn more than a yard wide below a quilt of ingots, so the metal finally outweighs the dog. ' +
      'Made in one color and a short run, hemmed with a stitch that children cannot pick apart.',
    collection: 'rudy',
    type: 'blanket',
    design: 'rudy-gold-cover',
    print: 'large',
    badge: 'LIMITED EDITION',
    syncProductId: 371205124,
    mapped: false,
    requiresOptions: false,
    colors: [dyes.charcoal],
    sizes: oneSize,
    retailPrice: { '*': '84.00' },
    cost: '31.40',
  },
  {
    id: 21,
    slug: 'rudy-tote-physical-delivery',
    name: 'Rudy Tote "Physical Delivery"',
    description:
      'A heavy cotton canvas tote that carries about twenty pounds of groceries, or rather less than one standard bar of gold. ' +
      'The print of Rudy in his parcel is cured at heat and does not mind rain. ' +
      'The handles go over a shoulder, or over the arm of a winter coat.',
    collection: 'rudy',
    type: 'tote',
    design: 'rudy-delivery',
    syncProductId: 371205150,
    mapped: true,
    requiresOptions: false,
    colors: [dyes.oatmeal, dyes.black, dyes.navy],
    sizes: oneSize,
    retailPrice: { '*': '29.95' },
    cost: '11.15',
  },
  {
    id: 23,
    slug: 'rudy-tote-carry-trade',
    name: 'Rudy Tote "Carry Trade"',
    description:
      'Borrow it from one member of the household, use it all week, return it with a profit of receipts. ' +
      'Rudy is a bag himself in the picture, handle and sale tag included, in a flat print on heavy cotton canvas, with crossed stitching where the handles meet the bag. ' +
      'It folds to the size of a paperback and stands open on its own for nearly a second.',
    collection: 'rudy',
    type: 'tote',
    design: 'rudy-carry',
    syncProductId: 371205163,
    mapped: true,
    requiresOptions: false,
    colors: [dyes.ivory, dyes.charcoal],
    sizes: oneSize,
    retailPrice: { '*': '27.95' },
    cost: '10.40',
  },
  {
    id: 24,
    slug: 'rudy-can-cooler-happy-hour',
    name: 'Rudy Beer Can Cooler "Happy Hour"',
    description:
      'A neoprene sleeve for a twelve-ounce beer, printed all around with a dog who stopped after none. ' +
      'Sewn at the side, it keeps the can cold, the hand dry and the brand discreet. ' +
      'Because of what it is for, we sell it to adults only.',
    collection: 'rudy',
    type: 'can-cooler',
    design: 'rudy-happy-hour',
    print: 'all-over',
    syncProductId: 371205188,
    mapped: true,
    requiresOptions: false,
    colors: [dyes.charcoal, dyes.ivory, dyes.burgundy, dyes.forest],
    sizes: oneSize,
    retailPrice: { '*': '18.95' },
    cost: '4.05',
    metadata: { restrictions: { age_restriction: 18 } },
  },
  {
    id: 25,
    slug: 'rudy-can-cooler-cold-storage',
    name: 'Rudy Can Cooler "Cold Storage"',
    description:
      'Custody for one can of anything fizzy, in printed neoprene three millimeters thick. ' +
      'Rudy is on the outside, asleep on the frozen reserves. ' +
      'It folds flat into a back pocket, where it is worth exactly what you paid.',
    collection: 'rudy',
    type: 'can-cooler',
    design: 'rudy-cold-storage',
    syncProductId: 371205193,
    mapped: true,
    requiresOptions: false,
    colors: [dyes.black, dyes.navy, dyes.white],
    sizes: oneSize,
    retailPrice: { '*': '18.00' },
    cost: '3.90',
  },
  {
    id: 26,
    slug: 'rudy-mouse-pad-hold-position',
    name: 'Rudy Mouse Pad "Hold Position"',
    description:
      'A desk mat for people whose best trades were the ones they slept through. ' +
      'Polyester on top, printed with Rudy on the only order he ever gave, and natural rubber below, so it stays where it is put and so does he. ' +
      'Wipes clean of coffee, which we expect.',
    collection: 'rudy',
    type: 'mouse-pad',
    design: 'rudy-hold',
    syncProductId: 371205231,
    mapped: false,
    requiresOptions: false,
    colors: [dyes.charcoal],
    sizes: oneSize,
    retailPrice: { '*': '21.95' },
    cost: '6.20',
  },
  {
    id: 27,
    slug: 'sherlock-hat-no-further-questions',
    name: 'Sherlock Hat "No Further Questions"',
    description:
      'A six-panel cotton hat for walks on which you would rather not be spoken to. ' +
      'The basset on the front is embroidered, jowls and all, and has struck out the question for you. ' +
      'It has one brim, not two; the deerstalker stays with its owner.',
    collection: 'sherlock',
    type: 'hat',
    design: 'sherlock-no-questions',
    badge: 'BEST SELLER',
    syncProductId: 371218402,
    mapped: true,
    requiresOptions: false,
    colors: [dyes.forest, dyes.tweed, dyes.oatmeal, dyes.black, dyes.burgundy],
    sizes: oneSize,
    retailPrice: { '*': '33.95' },
    cost: '14.35',
  },
  {
    id: 28,
    slug: 'sherlock-t-shirt-case-reopened',
    name: 'Sherlock T-Shirt "Case Reopened"',
    description:
      'Somebody ate the sandwich, and this dog will get to the bottom of it, having been at the top of it. ' +
      'He rises from the case in a soft print on ring-spun cotton of a weight between summer and autumn. ' +
      'The neck is ribbed, the shoulders are taped, and the alibi is yours to supply.',
    collection: 'sherlock',
    type: 't-shirt',
    design: 'sherlock-case',
    print: 'large',
    syncProductId: 371218419,
    mapped: true,
    requiresOptions: true,
    colors: [dyes.forest, dyes.oatmeal, dyes.moss, dyes.tweed, dyes.charcoal, dyes.ivory],
    sizes: shirtSizes,
    retailPrice: { '*': '32.95', '2XL': '34.95', '3XL': '36.95' },
    cost: '13.25',
    soldOut: [{ color: 'Moss', size: 'S' }],
  },
  {
    id: 30,
    slug: 'sherlock-polo-off-duty-inspector',
    name: 'Sherlock Polo "Off Duty Inspector"',
    description:
      'Piqué of polyester and cotton with a placket of three buttons and a collar that lies down when told, unlike its subject. ' +
      'The portrait in dark glasses is embroidered, not printed, and holds its line wash after wash. ' +
      'Suitable for golf, for country hotels and for standing thoughtfully in doorways.',
    collection: 'sherlock',
    type: 'polo',
    design: 'sherlock-off-duty',
    badge: 'NEW ARRIVAL',
    syncProductId: 371218445,
    mapped: true,
    requiresOptions: true,
    colors: [dyes.forest, dyes.navy, dyes.heatherSand, dyes.burgundy, dyes.white],
    sizes: shirtSizes,
    retailPrice: { '*': '52.00', '2XL': '54.00', '3XL': '56.00' },
    cost: '24.80',
  },
  {
    id: 31,
    slug: 'sherlock-mug-11-oz-bubble-problem',
    name: 'Sherlock Mug 11 oz "Bubble Problem"',
    description:
      'Some matters take one pipe and some take three; his only makes soap bubbles, so he is rarely interrupted. ' +
      'Eleven ounces of glazed ceramic, printed once, with heat, so that it stays. ' +
      'The colored inside conceals the level of the tea from casual observers.',
    collection: 'sherlock',
    type: 'mug',
    design: 'sherlock-pipe',
    syncProductId: 371218451,
    mapped: true,
    requiresOptions: false,
    colors: [
      twoTone(dyes.ivory, accents.forest),
      twoTone(dyes.white, accents.amber),
      twoTone(dyes.forest, accents.ivory),
    ],
    sizes: oneSize,
    retailPrice: { '*': '23.95' },
    cost: '7.45',
  },
  {
    id: 32,
    slug: 'sherlock-pillow-18x18-the-evidence',
    name: 'Sherlock Pillow 18x18 "The Evidence"',
    description:
      'Found on the sofa with hair on it; the hair matches. ' +
      'A zipped cover of tightly woven polyester, printed all over with what was found and its numbers, over a plump insert eighteen inches square. ' +
      'It may be sat against and leaned on, but will not testify.',
    collection: 'sherlock',
    type: 'pillow',
    design: 'sherlock-evidence',
    print: 'all-over',
    syncProductId: 371218478,
    mapped: true,
    requiresOptions: false,
    colors: [dyes.tweed, dyes.forest],
    sizes: oneSize,
    retailPrice: { '*': '42.00' },
    cost: '18.75',
    metadata: pillowMetadata,
  },
  {
    id: 33,
    slug: 'sherlock-tote-exhibit-a',
    name: 'Sherlock Tote "Exhibit A"',
    description:
      'A canvas bag for carrying things you would be willing to explain. ' +
      'The bone and its tag are printed in flat inks on cotton dense enough to hide the outline of another. ' +
      'Bound seams inside, two handles outside, and no compartment that could be called secret.',
    collection: 'sherlock',
    type: 'tote',
    design: 'sherlock-exhibit-a',
    syncProductId: 371218486,
    mapped: true,
    requiresOptions: false,
    colors: [dyes.oatmeal, dyes.forest, dyes.black],
    sizes: oneSize,
    retailPrice: { '*': '29.95' },
    cost: '11.15',
    soldOut: [{ color: 'Forest', size: 'One size' }],
  },
  {
    id: 34,
    slug: 'sherlock-blanket-50x60-fog-on-the-moor',
    name: 'Sherlock Blanket 50x60 "Fog on the Moor"',
    description:
      'Fleece the color of a hillside on which somebody has been seen, over sherpa the color of the fog. ' +
      'The portrait is printed large in the middle, as far as the fog allows, so that a sitter’s knees give it an expression. ' +
      'Fifty by sixty inches, turned and double-stitched at every edge, machine washable after muddy cases.',
    collection: 'sherlock',
    type: 'blanket',
    design: 'sherlock-fog',
    print: 'large',
    badge: 'LIMITED EDITION',
    syncProductId: 371218503,
    mapped: false,
    requiresOptions: false,
    colors: [dyes.moss],
    sizes: oneSize,
    retailPrice: { '*': '66.00' },
    cost: '31.40',
  },
  {
    id: 35,
    slug: 'sherlock-mouse-pad-cold-trail',
    name: 'Sherlock Mouse Pad "Cold Trail"',
    description:
      'The only mouse this dog has ever caught up with is the one on your desk, and he is still looking. ' +
      'A smooth printed cloth over a rubber base that grips wood, glass and laminate alike. ' +
      'Rounded corners, a quarter of an inch thick, nothing under it but more desk.',
    collection: 'sherlock',
    type: 'mouse-pad',
    design: 'sherlock-cold-trail',
    syncProductId: 371218517,
    mapped: false,
    requiresOptions: false,
    colors: [dyes.forest],
    sizes: oneSize,
    retailPrice: { '*': '21.95' },
    cost: '6.20',
  },
  {
    id: 36,
    slug: 'pip-t-shirt-approximately-round',
    name: 'Pip T-Shirt "Approximately Round"',
    description:
      'Pip is a guinea pig with no corners, printed at about life size on a light cotton jersey. ' +
      'The shirt is cut for people and is therefore less round, with a relaxed body and short set-in sleeves. ' +
      'It will not shrink, and neither will she.',
    collection: 'example',
    type: 't-shirt',
    design: 'pip-round',
    print: 'large',
    badge: 'NEW ARRIVAL',
    syncProductId: 371230067,
    mapped: true,
    requiresOptions: true,
    colors: [dyes.white, dyes.butter, dyes.sage, dyes.sky, dyes.coral, dyes.leaf],
    sizes: shirtSizes,
    retailPrice: { '*': '32.95', '2XL': '34.95', '3XL': '36.95' },
    cost: '13.25',
  },
  {
    id: 38,
    slug: 'pip-mug-15-oz-leaf-tea',
    name: 'Pip Mug 15 oz "Leaf Tea"',
    description:
      'Fifteen ounces of glazed ceramic, in which, by the picture, Pip is steeping already and does not plan to share. ' +
      'The print is sealed under gloss and the inside is colored to match either her lunch or her mood. ' +
      'Goes in the dishwasher, unlike Pip.',
    collection: 'example',
    type: 'mug',
    design: 'pip-tea',
    syncProductId: 371230074,
    mapped: true,
    requiresOptions: false,
    colors: [
      twoTone(dyes.white, accents.leaf),
      twoTone(dyes.white, accents.coral),
      twoTone(dyes.butter, accents.ivory),
      twoTone(dyes.white, accents.sky),
    ],
    sizes: oneSize,
    retailPrice: { '*': '25.95' },
    cost: '8.90',
  },
  {
    id: 39,
    slug: 'pip-tote-salad-run',
    name: 'Pip Tote "Salad Run"',
    description:
      'A market bag in sturdy cotton, printed with somebody who was faster than you. ' +
      'It holds four heads of lettuce upright, or five if one is eaten on the way. ' +
      'Wash it cold and iron around Pip, not over her.',
    collection: 'example',
    type: 'tote',
    design: 'pip-salad',
    syncProductId: 371230092,
    mapped: true,
    requiresOptions: false,
    colors: [dyes.oatmeal, dyes.sage, dyes.coral],
    sizes: oneSize,
    retailPrice: { '*': '29.95' },
    cost: '11.15',
  },
  {
    id: 40,
    slug: 'pip-mouse-pad-distant-relative',
    name: 'Pip Mouse Pad "Distant Relative"',
    description:
      'Guinea pigs and mice are both rodents, and Pip would like it known that the resemblance ends there. ' +
      'She looks up again and again, and her relative once, from a woven, printed surface that suits optical sensors, with a layer of non-slip rubber underneath. ' +
      'One color, because she chose it.',
    collection: 'example',
    type: 'mouse-pad',
    design: 'pip-relative',
    print: 'all-over',
    syncProductId: 371230108,
    mapped: false,
    requiresOptions: false,
    colors: [dyes.sage],
    sizes: oneSize,
    retailPrice: { '*': '20.95' },
    cost: '5.85',
  },
]
