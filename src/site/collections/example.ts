import type { CollectionTheme } from './theme.ts'

/** Warm white, leaf and coral: a kitchen in the morning, with a guinea pig called Pip under the table. */
export const example: CollectionTheme = {
  id: 'example',
  name: 'Pip',
  displayName: 'The Pip Collection',
  description:
    'A small collection about a round guinea pig, her leaf, and her refusal to be photographed from any side but the front.',
  borderRadius: '16px',
  shadowStyle: '0 2px 4px rgb(38 48 31 / 0.05), 0 16px 40px -18px rgb(38 48 31 / 0.16)',
  gradientDirection: '200deg',
  // Crumbs, evenly scattered.
  patternOverlay: 'radial-gradient(circle at 6px 6px, rgb(217 106 82 / 0.12) 0 2px, transparent 2.5px)',
  welcomeMessage: 'Pip heard the refrigerator open and is therefore delighted that you are here.',
  supportMessage: 'Ask us anything. Pip answers only to cucumber, but we answer to everybody.',
  socialHashtag: '#PipIsRound',
  keywords: ['pip', 'guinea pig', 'cavy', 'rodent', 'round', 'leaf', 'salad', 'lettuce', 'small pets'],
  colors: {
    primary: '#3b652a',
    secondary: '#d96a52',
    accent: '#e8806a',
    background: '#fffaf3',
    surface: '#ffffff',
    buttonPrimary: '#3b652a',
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
}
