import { collections } from '#site/collections/collections.ts'
import { label } from '#site/label.ts'
import { paths } from '#contract/paths.ts'

export type FrameLink = { to: string; text: string }

export const mainLinks: readonly FrameLink[] = [
  { to: paths.products, text: 'Overview' },
  { to: paths.rudyCollection, text: collections.rudy.displayName },
  { to: paths.about, text: 'About Us' },
  { to: paths.contact, text: 'Contact' },
]

/** Shown while the owner is signed in. */
export const ownerLink: FrameLink = { to: paths.admin, text: 'Admin' }

export const companyLinks: readonly FrameLink[] = [
  { to: paths.about, text: 'About Us' },
  { to: paths.contact, text: 'Contact & Partnership' },
  { to: paths.auth, text: 'Partner Login' },
  { to: paths.products, text: 'All products' },
  { to: paths.rudyCollection, text: collections.rudy.displayName },
  { to: paths.collection(collections.sherlock.id), text: collections.sherlock.displayName },
  { to: paths.collection(collections.example.id), text: collections.example.displayName },
]

export const supportLinks: readonly FrameLink[] = [
  { to: paths.track, text: 'Track Your Order' },
  { to: paths.account, text: 'Your Account' },
  { to: paths.shippingReturns, text: '*Shipping & Returns' },
  { to: paths.privacyPolicy, text: 'Privacy Policy' },
  { to: paths.termsOfService, text: 'Terms of Service' },
  { to: `${paths.termsOfService}#promotional-raffle-rules`, text: 'Raffle Rules' },
  { to: `mailto:${label.supportEmail}`, text: label.supportEmail },
]

export const followLinks: readonly FrameLink[] = [
  { to: label.channel.url, text: label.channel.name },
  ...label.social.map(({ name, url }) => ({ to: url, text: name })),
]
