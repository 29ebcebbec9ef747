export type CollectionId = 'rudy' | 'sherlock' | 'example'

/** `#rrggbb`, lower case: email clients, style sheets and contrast checks all read it. */
type HexColor = `#${string}`

/**
 * A collection's surface and text colors. Both text colors reach 4.5:1 (WCAG 2.2, AA) on `background`, `surface` and `buttonSecondary`;
 * ivory or white reaches it on `primary`, `buttonPrimary` and `buttonHover`.
 */
type ThemeColors = {
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

/**
 * A collection's look and voice (specification, section 3, "Collection theme"), with the texts of its success pages and
 * emails (section 3, "Payment-success: collection").
 */
export type CollectionTheme = {
  id: CollectionId
  /** Short, as in a breadcrumb or a report: `Rudy`. */
  name: string
  /** In full, as in the navigation, a heading or an email subject: `The Rudy Collection`. */
  displayName: string
  /** One or two sentences for the collection's page, its search result and its link preview. */
  description: string
  /** A CSS length for the corners of cards and buttons. */
  borderRadius: string
  /** A CSS `box-shadow` for cards. */
  shadowStyle: string
  /** A CSS gradient direction, from `background` to `surface`: `180deg`, `to bottom right`. */
  gradientDirection: string
  /** A CSS `background-image` laid over a hero's color, faint enough to carry text; `none` for plain. */
  patternOverlay: string
  /** Greets on the collection's page. */
  welcomeMessage: string
  /** Shown beside the contact link. */
  supportMessage: string
  /** With its `#`. */
  socialHashtag: string
  /** Search terms, lower case: for our search and for search engines. */
  keywords: readonly string[]
  colors: ThemeColors
  /** Subject of the confirmation email; `{orderId}` becomes the order number without its `PF`. */
  emailSubject: `Order Confirmation PF{orderId} - ${string}`
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
