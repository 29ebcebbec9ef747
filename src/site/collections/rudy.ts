import { house } from '../house.ts'
import { label } from '../label.ts'
import { heroes } from './heroes.ts'
import { shares } from './shares.ts'
import type { KnownCollection } from './known.ts'

/** Charcoal, gold and ivory: a bank at night, with a dog in it. */
export const rudy: KnownCollection = {
  id: 'rudy',
  name: 'Rudy',
  displayName: 'The Rudy Collection',
  description:
    'Hats, shirts and household goods about one sleepy dog, the only regular on a precious-metals channel who has never given a forecast.',
  borderRadius: '4px',
  shadowStyle: '0 1px 2px rgb(29 27 25 / 0.06), 0 12px 32px -12px rgb(29 27 25 / 0.18)',
  gradientDirection: '180deg',
  // Bars laid like brickwork, seen from the end of the vault.
  patternOverlay:
    'repeating-linear-gradient(0deg, rgb(184 134 43 / 0.07) 0 1px, transparent 1px 28px), repeating-linear-gradient(102deg, rgb(184 134 43 / 0.05) 0 1px, transparent 1px 64px)',
  welcomeMessage: 'Come in quietly. He has only just dropped off, which was also true this morning.',
  supportMessage: 'Rudy does not take calls. The people who work for him do, and they read every message.',
  socialHashtag: '#RudySleepsOnIt',
  keywords: [
    'rudy',
    'sleepy dog',
    'dog',
    'nap',
    'gold',
    'silver',
    'bullion',
    'ingots',
    'precious metals',
    label.channel.handle,
  ],
  // The label began with him and wears his colors.
  colors: house.colors,
  emailSubject: 'Order Confirmation PF{orderId} - The Rudy Collection',
  emailThankYouMessage:
    'Thank you for your order. Rudy would thank you himself, but he is resting on the paperwork and we had to print a second copy.',
  petName: 'Rudy',
  channelName: label.channel.name,
  channelUrl: label.channel.url,
  successMessage:
    'Your order is in safe paws. Rudy was informed, lifted one eyebrow and went back to sleep; we take that as approval.',
  heroTitle: 'He sleeps. The market can wait.',
  heroSubtitle: 'Made to order for people who hold metal, hold opinions or hold a dog.',
  animal: 'dog',
  story: `On ${label.channel.name}, a man at a desk explains what gold did overnight. Behind him, on whatever is softest, lies Rudy. The man has opinions on silver. Rudy has opinions on the cushion.\n\nViewers began to ask about the dog. Then they asked whether there was a hat. There is a hat now, and the rest grew around it.`,
  storyTitle: 'The dog who slept through the gold rush',
  promises: [{ figure: '0', text: 'forecasts given, in every episode so far' }],
  beginning: `It began with Rudy, who slept through ${label.channel.name} so well that people asked for the hat. Somebody had to make the hat properly. That became ${label.name}.`,
  origin: 'was the first',
  seoTitle: '',
  seoDescription: '',
  headingFont: 'serif',
  hasIntro: true,
  hero: { ...heroes.rudy, alt: 'Rudy asleep on gold bars' },
  intro: null,
  share: { ...shares.rudy, alt: 'Rudy asleep on his gold ingots' },
  partnerTexts: {
    video: `Rudy has slept through every broadcast so far. Now he does it on hats, mugs and pillows: {link}\nMade to order, shipped worldwide. I earn a share of what you buy through this link. #RudySleepsOnIt`,
    comment: `For everyone who asked: the sleeping dog is on a hat now. {link} (I earn a share of it.)`,
    post: `The market moved. Rudy did not. Hats, mugs and pillows for people who take the long view: {link} #RudySleepsOnIt (partner link)`,
    mail: `You know Rudy: the only regular on the program who has never given a forecast. There is a collection about him now, from a nightcap design on hats to a blanket for one and a dog, each piece made when it is ordered. It is here: {link}\nIf you buy something through this link, part of the price comes to me.`,
  },
  inMenu: true,
  onHome: true,
}
