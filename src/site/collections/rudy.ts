import { label } from '../label.ts'
import type { CollectionTheme } from './theme.ts'

/** Charcoal, gold and ivory: a bank at night, with a dog in it. */
export const rudy: CollectionTheme = {
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
  colors: {
    primary: '#1d1b19',
    secondary: '#4a443c',
    accent: '#b8862b',
    background: '#f8f4ea',
    surface: '#fffdf8',
    buttonPrimary: '#1d1b19',
    buttonSecondary: '#efe6d2',
    buttonHover: '#6f4f14',
    cardBorder: '#e2d7c0',
    textPrimary: '#1d1b19',
    textSecondary: '#5d554a',
  },
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
}
