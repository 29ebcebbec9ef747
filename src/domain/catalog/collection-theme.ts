/** `#rrggbb`, lower case: email clients, style sheets and contrast checks all read it. */
export type HexColor = `#${string}`

/**
 * A collection's surface and text colors. Both text colors reach 4.5:1 (WCAG 2.2, AA) on `background`, `surface` and `buttonSecondary`;
 * ivory or white reaches it on `primary`, `buttonPrimary` and `buttonHover` (`contrast.ts`).
 */
export type ThemeColors = {
  /** The collection's darkest or strongest tone: bars, hero backgrounds, email headers. */
  primary: HexColor
  secondary: HexColor
  /** Rules, stars, icons and small shapes. Too light to be read as text on the background. */
  accent: HexColor
  /** The page. */
  background: HexColor
  /** Cards, panels and the drawer. */
  surface: HexColor
  buttonPrimary: HexColor
  /** A quiet button, with text in `textPrimary`. */
  buttonSecondary: HexColor
  buttonHover: HexColor
  cardBorder: HexColor
  textPrimary: HexColor
  textSecondary: HexColor
}

/** The house has two fonts: Fraunces has serifs, Instrument Sans has none. */
export const headingFonts = ['serif', 'sans'] as const
export type HeadingFont = (typeof headingFonts)[number]

/** What the style sheet, emails and partner cards need of a collection. */
export type ThemeLook = {
  colors: ThemeColors
  /** A CSS length for the corners of cards and buttons. */
  borderRadius: string
  /** A CSS `box-shadow` for cards. */
  shadowStyle: string
  /** A CSS gradient direction, from `background` to `surface`: `180deg`, `to bottom right`. */
  gradientDirection: string
  /** A CSS `background-image` laid over a hero's color, faint enough to carry text; `none` for plain. */
  patternOverlay: string
  headingFont: HeadingFont
}

/** Files are `/pictures/<file>.<width>.webp`; sizes in pixels, the widest first. */
export type CollectionPicture = { file: string; widths: number[]; width: number; height: number; alt: string }

/** Ready-made texts for partners; `{link}` becomes the partner's own link. */
export type PartnerTexts = Readonly<Record<'video' | 'comment' | 'post' | 'mail', string>>

/**
 * A collection's look and voice (specification, section 3, "Collection theme"), with the texts of its success pages and
 * emails (section 3, "Payment-success: collection").
 */
export type CollectionTheme = ThemeLook & {
  /** Never changes: products and orders refer to it. The first slug. */
  id: string
  /** Short, as in a breadcrumb or a report: `Rudy`. */
  name: string
  /** In full, as in the navigation, a heading or an email subject: `The Rudy Collection`. */
  displayName: string
  /** One or two sentences for the collection's page, its search result and its link preview. */
  description: string
  /** Greets on the collection's page. */
  welcomeMessage: string
  /** Shown beside the contact link. */
  supportMessage: string
  /** With its `#`. */
  socialHashtag: string
  /** Search terms, lower case: for our search and for search engines. */
  keywords: readonly string[]
  /** Subject of the confirmation email; `{orderId}` becomes the order number without its `PF`. */
  emailSubject: string
  /** First line of the confirmation email. */
  emailThankYouMessage: string
  petName: string
  /** The pet's own video channel, thanked and linked on the success pages. */
  channelName: string
  channelUrl: string
  /** Shown under 'Payment Successful!'. */
  successMessage: string
  heroTitle: string
  heroSubtitle: string
}

/** With the collection's large picture, which some emails show. */
export type PicturedTheme = CollectionTheme & { hero?: CollectionPicture | null }

/** All that an owner edits of a collection, besides its place and state. Empty texts are not shown. */
export type CollectionContent = Omit<CollectionTheme, 'id'> & {
  /** Such as `guinea pig`. */
  animal: string
  /** Paragraphs separated by empty lines: of the first collection on the page of all products, of the others on their own page. */
  story: string
  storyTitle: string
  /** Beside the story, such as `0` and `forecasts given`. */
  promises: readonly { figure: string; text: string }[]
  /** How the label began with it, for the About page of a shop whose first collection it is. */
  beginning: string
  /** How it joined, for the About page: `followed his nose`. */
  origin: string
  /** For search engines, in place of the display name and the description. */
  seoTitle: string
  seoDescription: string
  /** Whether the welcome, the description and the channel stand above the products. */
  hasIntro: boolean
  /** On the home page and other pages that introduce the collection. */
  hero: CollectionPicture | null
  /** Beside the title of its own page. */
  intro: CollectionPicture | null
  /** In a shared link's preview: 1200 × 630. */
  share: CollectionPicture | null
  /** Null for texts made from the name and the hashtag. */
  partnerTexts: PartnerTexts | null
}
