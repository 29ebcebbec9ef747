import { heroes } from './heroes.ts'
import { shares } from './shares.ts'
import type { KnownCollection } from './known.ts'

/** Warm white, leaf and coral: a kitchen in the morning, with a guinea pig called Pip under the table. */
export const example: KnownCollection = {
  id: 'example',
  name: 'Pip',
  displayName: 'The Pip Collection',
  description:
    'A small collection about a round guinea pig, her leaf, and her refusal to be photographed from any side but the front.',
  borderRadius: '16px',
  shadowStyle: '0 2px 4px rgb(38 48 31 / 0.05), 0 16px 40px -18px rgb(38 48 31 / 0.16)',
  gradientDirection: '200deg',
  // Ripples around something round.
  patternOverlay:
    'repeating-radial-gradient(circle at 6% 125%, rgb(255 250 243 / 0.05) 0 1.5px, transparent 2.5px 20px)',
  welcomeMessage: 'Pip heard the refrigerator open and is therefore delighted that you are here.',
  supportMessage: 'Ask us anything. Pip answers only to cucumber, but we answer to everybody.',
  socialHashtag: '#PipIsRound',
  keywords: ['pip', 'guinea pig', 'cavy', 'rodent', 'round', 'leaf', 'salad', 'lettuce', 'small pets'],
  colors: {
    primary: '#34592b',
    secondary: '#d96a52',
    accent: '#e8806a',
    background: '#fffaf3',
    surface: '#ffffff',
    buttonPrimary: '#34592b',
    buttonSecondary: '#fde9e1',
    buttonHover: '#2c4d1f',
    cardBorder: '#ecdfd0',
    textPrimary: '#26301f',
    textSecondary: '#5b6152',
  },
  emailSubject: 'Order Confirmation PF{orderId} - The Pip Collection',
  emailThankYouMessage:
    'Thank you for your order. It has been squeaked at, loudly, which in this house counts as a receipt.',
  petName: 'Pip',
  channelName: 'Small Rodent, Large Salad',
  channelUrl: 'https://video.example/@largesalad',
  successMessage: 'All done. Pip ran one full lap of the kitchen in your honor and has stopped to eat.',
  heroTitle: 'No corners. No regrets.',
  heroSubtitle: 'Light, cheerful things for people who keep a crisper drawer for somebody else.',
  animal: 'guinea pig',
  story: '',
  storyTitle: '',
  promises: [],
  beginning: '',
  origin: 'followed a lettuce',
  seoTitle: '',
  seoDescription: '',
  headingFont: 'serif',
  hasIntro: true,
  hero: { ...heroes.example, alt: 'Pip in a meadow, with a daisy by her ear and a leaf that she has begun to eat' },
  intro: null,
  share: { ...shares.example, alt: 'Pip in a meadow, with a daisy by her ear and a leaf that she has begun to eat' },
  partnerTexts: {
    video: `Small, round and on a t-shirt: {link}\nMade to order, shipped worldwide. I earn a share of what you buy through this link. #PipIsRound`,
    comment: `The round one has merchandise now. {link} (I earn a share of it.)`,
    post: `Approximately round, entirely made to order: {link} #PipIsRound (partner link)`,
    mail: `There is a small new collection about a small animal: a t-shirt, a mug, a tote and a mouse pad. Each piece is made when it is ordered. It is here: {link}\nIf you buy something through this link, part of the price comes to me.`,
  },
  inMenu: false,
  onHome: true,
}
