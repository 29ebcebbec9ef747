/**
 * The store's name, addresses and links, spelled here and nowhere else: a new label means a change to this file.
 * External names end in `.example` (RFC 2606), so nobody is linked to or written to by mistake.
 */
export const label = {
  name: 'Pawtelier',
  tagline: 'An AI creative label for famous pets',

  /** Business days begin at its midnight, and pages show times in it. */
  timeZone: 'America/New_York',

  /** Customer care: on the contact page, and the reply-to address of emails. */
  supportEmail: 'care@pawtelier.example',
  /** Wholesale and partnership inquiries; the same inbox (specification, section 2, Contact). */
  businessEmail: 'care@pawtelier.example',

  /** The precious-metals channel on which Rudy sleeps. */
  channel: {
    name: 'The Bullion Hour',
    /** Suggested when a search finds nothing. */
    handle: '@thebullionhour',
    url: 'https://video.example/@thebullionhour',
  },

  /** The footer's Follow column. */
  social: [
    { name: 'Video', url: 'https://video.example/@pawtelier' },
    { name: 'Photos', url: 'https://photos.example/pawtelier' },
    { name: 'Short posts', url: 'https://posts.example/@pawtelier' },
  ],

  /** The asterisk refers to the footer's '*Shipping & Returns'. */
  bannerText: 'Premium Quality • Limited Edition • Free Global Shipping Available*',
  /** Used when the shopper pays the carrier (the setting `SHIPPING`). */
  bannerTextWhereShippingCosts: 'Premium Quality • Limited Edition',
  footerNote: 'Powered by AI',
  /** Who sells, in the footer: company, town and registration. Empty until there is a company, because it cannot be an example. */
  imprint: '',
} as const
