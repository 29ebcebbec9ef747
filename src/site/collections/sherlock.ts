import { heroes } from './heroes.ts'
import { shares } from './shares.ts'
import type { KnownCollection } from './known.ts'

/** Deep green, tweed and amber: a club chair, a lamp, and a basset hound who suspects the cushion. */
export const sherlock: KnownCollection = {
  id: 'sherlock',
  name: 'Sherlock',
  displayName: 'The Sherlock Collection',
  description:
    'For the observant. Inspired by a basset in a deerstalker who has closed every case with a kitchen in it.',
  borderRadius: '2px',
  shadowStyle: '0 1px 1px rgb(27 36 30 / 0.08), 0 10px 24px -10px rgb(27 36 30 / 0.24)',
  gradientDirection: '165deg',
  // Two diagonals make a herringbone at reading distance.
  patternOverlay:
    'repeating-linear-gradient(45deg, rgb(107 87 63 / 0.08) 0 2px, transparent 2px 9px), repeating-linear-gradient(-45deg, rgb(107 87 63 / 0.08) 0 2px, transparent 2px 9px)',
  welcomeMessage: 'You have been walking, you are fond of dogs, and you own too few hats. Do sit down.',
  supportMessage: 'Lost parcel, wrong size, a mystery of any kind: describe it plainly and leave nothing out.',
  socialHashtag: '#SherlockSniffs',
  keywords: [
    'sherlock',
    'detective',
    'basset',
    'basset hound',
    'dog',
    'deerstalker',
    'magnifying glass',
    'pipe',
    'tweed',
    'mystery',
  ],
  colors: {
    primary: '#1f3a2c',
    secondary: '#6b573f',
    accent: '#c07a22',
    background: '#f3eee3',
    surface: '#fbf8f1',
    buttonPrimary: '#1f3a2c',
    buttonSecondary: '#e6dcc8',
    buttonHover: '#2f5441',
    cardBorder: '#d6c9b0',
    textPrimary: '#1b241e',
    textSecondary: '#57503f',
  },
  emailSubject: 'Order Confirmation PF{orderId} - The Sherlock Collection',
  emailThankYouMessage:
    'Thank you for your order. We deduce that you have taste, and enclose the particulars below so that you can check our working.',
  petName: 'Sherlock',
  channelName: 'Nose to the Carpet',
  channelUrl: 'https://video.example/@nosetothecarpet',
  successMessage:
    'The case of the missing merchandise is as good as closed. Sherlock has the address and will not be distracted, except by ham.',
  heroTitle: 'The nose has it.',
  heroSubtitle: 'Tweed tones, sound stitching and a hound who reads the room from the floor up.',
  animal: 'basset hound',
  story: '',
  storyTitle: '',
  promises: [],
  beginning: '',
  origin: 'followed his nose',
  seoTitle: '',
  seoDescription: '',
  headingFont: 'serif',
  hasIntro: true,
  hero: {
    ...heroes.sherlock,
    alt: 'Sherlock in a deerstalker, lying on old case files and blowing bubbles with his pipe',
  },
  intro: {
    ...heroes.sherlock,
    alt: 'Sherlock in a deerstalker, lying on old case files and blowing bubbles with his pipe',
  },
  share: { ...shares.sherlock, alt: 'Sherlock on old case files' },
  partnerTexts: {
    video: `Sherlock looked into it and found hats, mugs and a very good blanket: {link}\nMade to order, shipped worldwide. I earn a share of what you buy through this link. #SherlockSniffs`,
    comment: `Case solved: it is all here. {link} (I earn a share of it.)`,
    post: `Evidence suggests that you need a mug with a detective on it. {link} #SherlockSniffs (partner link)`,
    mail: `Sherlock has a collection of his own: tweed, magnifying glass and the look of somebody who knows who ate the cookie. Each piece is made when it is ordered. It is here: {link}\nIf you buy something through this link, part of the price comes to me.`,
  },
  inMenu: false,
  onHome: true,
}
