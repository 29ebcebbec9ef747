import { slugOf } from '#shared/slug.ts'
import { house } from '#site/house.ts'
import type { CollectionContent } from './collection-theme.ts'

/** A new collection, with words to begin from, made of the animal's name and kind. */
export function draftOf(typedName: string, typedAnimal: string): CollectionContent & { slug: string } {
  const name = typedName.trim()
  const animal = typedAnimal.trim()
  const displayName = name && `The ${name} Collection`
  return {
    slug: slugOf(name, 60),
    ...{ name, displayName, petName: name, animal },
    description: name && `Hats, shirts and household goods about ${name}${animal && `, the ${animal}`}. Made to order.`,
    heroTitle: name && `Meet ${name}.`,
    heroSubtitle: name && 'Made to order, one piece at a time.',
    hasIntro: true,
    welcomeMessage: name && `${name} is glad that you came.`,
    ...{ storyTitle: '', story: '', promises: [], beginning: '', origin: '' },
    supportMessage: house.supportMessage,
    socialHashtag: name && `#${name.replaceAll(/[^\p{L}\p{N}_]/gu, '')}`,
    ...{ channelName: '', channelUrl: '', seoTitle: '', seoDescription: '' },
    keywords: [...new Set([name.toLowerCase(), animal.toLowerCase()].filter(Boolean))],
    emailSubject: `Order Confirmation PF{orderId} - ${displayName}`,
    emailThankYouMessage: name && `Thank you for your order. ${name} has been told.`,
    successMessage: name && `Your order is in safe paws. ${name} has been told.`,
    colors: house.colors,
    borderRadius: house.borderRadius,
    shadowStyle: house.shadowStyle,
    gradientDirection: house.gradientDirection,
    patternOverlay: house.patternOverlay,
    headingFont: house.headingFont,
    ...{ hero: null, intro: null, share: null, partnerTexts: null },
  }
}
