import { formatRate } from '#domain/partners/rates.ts'
import { collections } from './collections/collections.ts'
import type { CollectionId } from './collections/theme.ts'
import { label } from './label.ts'
import { REVENUE_SHARE } from './policies.ts'

const { usual, most } = REVENUE_SHARE

/** Specification, section 3, Partnership details. */
export const partnershipDetails = {
  title: `The ${label.name} partner program`,
  description:
    'For channels, shops and people whose audience already knows one of our animals. We make, pack, ship and look after customers. You share it and earn on every sale.',
  wholesaleDiscount:
    'Order for a shop, a fan meeting or a team at wholesale prices. Tell us what you need and we reply with a price for each item.',
  marketingSupport: 'Pictures, texts, links and codes, ready to use below, and a person to ask for anything else.',
  exclusiveProducts: 'Partners see new designs before anybody else, and some are made for a single channel.',
  revenueShare: `${usual.percent}% of every sale that comes through your channel, negotiable up to ${most.percent}%.`,
} as const

/**
 * The proposal's paragraphs (specification, section 2, Partner portal; section 9, Proposal text).
 * @param shareBasisPoints in hundredths of a percent
 */
export const proposalTo = (name: string, shareBasisPoints: number = usual.basisPoints): string[] => [
  `Dear ${name},`,
  `People come to your channel for what you make of it, and stay for the animal that sleeps through it. We would like to put that animal on things they use every day, and share the proceeds with you.`,
  `We propose a ${formatRate(shareBasisPoints)} revenue share on all sales that come through your video channel${shareBasisPoints < most.basisPoints ? `, negotiable up to ${most.percent}% as they grow` : ''}. The share is a percentage of what customers pay for products, after discounts and before tax and shipping. You earn it on orders within 30 days of a click on your link, and we pay it once the return window has passed.`,
  `You do not have to buy, store or ship anything. Every order is made when it is placed, and you can trace every cent in this portal back to its order.`,
]

/** Decides how long a text may be. */
export type CopyChannel = 'video' | 'comment' | 'post' | 'mail'

export const copyChannels: readonly { id: CopyChannel; title: string; hint: string }[] = [
  { id: 'video', title: 'Video description', hint: 'Only the first two lines show before “more”.' },
  { id: 'comment', title: 'Pinned comment', hint: 'Short, under the video.' },
  { id: 'post', title: 'Short post', hint: 'Fits into 280 characters, link included.' },
  { id: 'mail', title: 'Newsletter', hint: 'A paragraph for your own newsletter.' },
]

type CopyTexts = Readonly<Record<CopyChannel, string>>

/** `{link}` becomes the partner's own link. */
export const partnerTexts: Readonly<Record<CollectionId, CopyTexts>> = {
  rudy: {
    video: `Rudy has slept through every broadcast so far. Now he does it on hats, mugs and pillows: {link}\nMade to order, shipped worldwide. I earn a share of what you buy through this link. ${collections.rudy.socialHashtag}`,
    comment: `For everyone who asked: the sleeping dog is on a hat now. {link} (I earn a share of it.)`,
    post: `The market moved. Rudy did not. Hats, mugs and pillows for people who take the long view: {link} ${collections.rudy.socialHashtag} (partner link)`,
    mail: `You know Rudy: the only regular on the program who has never given a forecast. There is a collection about him now, from a nightcap design on hats to a blanket for two, each piece made when it is ordered. It is here: {link}\nIf you buy something through this link, part of the price comes to me.`,
  },
  sherlock: {
    video: `Sherlock looked into it and found hats, mugs and a very good blanket: {link}\nMade to order, shipped worldwide. I earn a share of what you buy through this link. ${collections.sherlock.socialHashtag}`,
    comment: `Case solved: it is all here. {link} (I earn a share of it.)`,
    post: `Evidence suggests that you need a mug with a detective on it. {link} ${collections.sherlock.socialHashtag} (partner link)`,
    mail: `Sherlock has a collection of his own: tweed, magnifying glass and the look of somebody who knows who ate the biscuit. Each piece is made when it is ordered. It is here: {link}\nIf you buy something through this link, part of the price comes to me.`,
  },
  example: {
    video: `Small, round and on a t-shirt: {link}\nMade to order, shipped worldwide. I earn a share of what you buy through this link. ${collections.example.socialHashtag}`,
    comment: `The round one has merchandise now. {link} (I earn a share of it.)`,
    post: `Approximately round, entirely made to order: {link} ${collections.example.socialHashtag} (partner link)`,
    mail: `There is a small new collection about a small animal: a t-shirt, a mug, a tote and a mouse pad. Each piece is made when it is ordered. It is here: {link}\nIf you buy something through this link, part of the price comes to me.`,
  },
}
