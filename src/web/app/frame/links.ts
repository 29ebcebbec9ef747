import type { PageSettings } from '#site/settings.ts'
import type { CollectionLink } from '#contract/public-config.ts'
import { paths } from '#contract/paths.ts'
import { say, sayKnown } from '#words/say.ts'
import { pathOfCollection } from '../use-collections.ts'

export type FrameLink = { to: string; text: string }

const linkTo = (collection: CollectionLink): FrameLink => ({
  to: pathOfCollection(collection),
  text: sayKnown(collection.displayName),
})

export const mainLinks = (collections: readonly CollectionLink[]): readonly FrameLink[] => [
  { to: paths.products, text: say('Overview') },
  ...collections.filter(({ inMenu }) => inMenu).map(linkTo),
  { to: paths.about, text: say('About Us') },
  { to: paths.contact, text: say('Contact') },
]

/** Shown while the owner is signed in. */
export const adminLink: FrameLink = { to: paths.admin, text: 'Admin' }

export const companyLinks = (collections: readonly CollectionLink[]): readonly FrameLink[] => [
  { to: paths.about, text: say('About Us') },
  { to: paths.contact, text: say('Contact & Partnership') },
  { to: paths.auth, text: say('Partner Login') },
  { to: paths.products, text: say('All products') },
  ...collections.map(linkTo),
  // Of `payPaths`, whose chunk is another script for every first page.
  { to: '/gift-card', text: say('Gift cards') },
]

export const supportLinks = ({ supportEmail }: PageSettings): FrameLink[] => [
  { to: paths.track, text: say('Track Your Order') },
  { to: paths.account, text: say('Your Account') },
  { to: paths.shippingReturns, text: `*${say('Shipping & Returns')}` },
  { to: paths.privacyPolicy, text: say('Privacy Policy') },
  { to: paths.termsOfService, text: say('Terms of Service') },
  { to: `${paths.termsOfService}#promotional-raffle-rules`, text: say('Raffle Rules') },
  { to: `mailto:${supportEmail}`, text: supportEmail },
]

export const followLinks = ({ channel, social }: PageSettings): FrameLink[] => [
  { to: channel.url, text: channel.name },
  ...social.map(({ name, url }) => ({ to: url, text: sayKnown(name) })),
]
