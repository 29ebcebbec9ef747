import { formatRate } from '#domain/partners/rates.ts'
import type { CollectionTheme, PartnerTexts } from '#domain/catalog/collection-theme.ts'
import { BASIS_POINTS_PER_PERCENT, type PageSettings } from './settings.ts'

type Shares = Pick<PageSettings, 'commission'>

/** Specification, section 3, Partnership details. */
export const partnershipDetailsOf = ({ name, commission: { usual, most } }: PageSettings) => ({
  title: `The ${name} partner program`,
  description:
    'For channels, shops and people whose audience already knows one of our animals. We make, pack, ship and look after customers. You share it and earn on every sale.',
  wholesaleDiscount:
    'Order for a shop, a fan meeting or a team at wholesale prices. Tell us what you need and we reply with a price for each item.',
  marketingSupport: 'Pictures, texts, links and codes, ready to use below, and a person to ask for anything else.',
  exclusiveProducts: 'Partners see new designs before anybody else, and some are made for a single channel.',
  revenueShare: `${usual}% of every sale that comes through your channel, negotiable up to ${most}%.`,
})

/**
 * The proposal's paragraphs (specification, section 2, Partner portal; section 9, Proposal text).
 * @param shareBasisPoints in hundredths of a percent; without it, a new partner's
 */
export const proposalTo = (
  name: string,
  { commission: { usual, most } }: Shares,
  shareBasisPoints: number = usual * BASIS_POINTS_PER_PERCENT,
): string[] => [
  `Dear ${name},`,
  `People come to your channel for what you make of it, and stay for the animal that sleeps through it. We would like to put that animal on things they use every day, and share the proceeds with you.`,
  `We propose a ${formatRate(shareBasisPoints)} revenue share on all sales that come through your video channel${shareBasisPoints < most * BASIS_POINTS_PER_PERCENT ? `, negotiable up to ${most}% as they grow` : ''}. The share is a percentage of what customers pay for products, after discounts and before tax and shipping. You earn it on orders within 30 days of a click on your link, and we pay it once the return window has passed.`,
  `You do not have to buy, store or ship anything. Every order is made when it is placed, and you can trace every cent in this portal back to its order.`,
]

/** Decides how long a text may be. */
export type CopyChannel = keyof PartnerTexts

export const copyChannels: readonly { id: CopyChannel; title: string; hint: string }[] = [
  { id: 'video', title: 'Video description', hint: 'Only the first two lines show before “more”.' },
  { id: 'comment', title: 'Pinned comment', hint: 'Short, under the video.' },
  { id: 'post', title: 'Short post', hint: 'Fits into 280 characters, link included.' },
  { id: 'mail', title: 'Newsletter', hint: 'A paragraph for your own newsletter.' },
]

/** Texts for a collection that has none of its own. */
export const partnerTextsOf = ({
  petName,
  displayName,
  socialHashtag,
}: Pick<CollectionTheme, 'petName' | 'displayName' | 'socialHashtag'>): PartnerTexts => ({
  video: `${petName} has a collection now: {link}\nMade to order, shipped worldwide. I earn a share of what you buy through this link. ${socialHashtag}`,
  comment: `${petName} has merchandise now. {link} (I earn a share of it.)`,
  post: `${displayName}: made to order, shipped worldwide. {link} ${socialHashtag} (partner link)`,
  mail: `There is a collection about ${petName} now. Each piece is made when it is ordered. It is here: {link}\nIf you buy something through this link, part of the price comes to me.`,
})
