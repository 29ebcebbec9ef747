/**
 * Who we are. Name, addresses and links are spelled here and nowhere else, so that a new label is a change to this file.
 * Every outside name ends in `.example` (RFC 2606): nobody is linked to or written to by mistake.
 */
export const label = {
  name: 'Pawtelier',
  tagline: 'An AI creative label for famous pets',

  /** Where we sit: our days begin at its midnight, and people read our moments by its clock. */
  timeZone: 'America/New_York',

  /** Customer care, as shown on the contact page and answered to by our mails. */
  supportEmail: 'care@pawtelier.example',
  /** Wholesale and partnership inquiries. The same desk reads both (specification, section 2, Contact). */
  businessEmail: 'care@pawtelier.example',

  /** The precious-metals channel on which Rudy sleeps. */
  channel: {
    name: 'The Bullion Hour',
    /** As shoppers type it into a search; suggested when a search finds nothing. */
    handle: '@thebullionhour',
    url: 'https://video.example/@thebullionhour',
  },

  /** The footer's Follow column. */
  social: [
    { name: 'Video', url: 'https://video.example/@pawtelier' },
    { name: 'Photos', url: 'https://photos.example/pawtelier' },
    { name: 'Short posts', url: 'https://posts.example/@pawtelier' },
  ],

  /** The header's promise; the asterisk is explained by the footer's '*Shipping & Returns'. */
  bannerText: 'Premium Quality • Limited Edition • Free Global Shipping Available*',
  /** The same where the shopper pays the carrier (the setting `SHIPPING`). */
  bannerTextWhereShippingCosts: 'Premium Quality • Limited Edition',
  footerNote: 'Powered by AI',
} as const
