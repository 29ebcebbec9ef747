export type CollectionId = 'rudy' | 'sherlock' | 'example'

/** `#rrggbb`, lower case: the form that mail programs, style sheets and contrast checks all read. */
type HexColor = `#${string}`

/**
 * The surfaces and inks of a collection. Both texts reach 4.5:1 (WCAG 2.2, AA) on `background`, `surface` and `buttonSecondary`;
 * ivory or white reaches it on `primary`, `buttonPrimary` and `buttonHover`.
 */
type ThemeColors = {
  /** The collection's darkest or strongest tone: bars, hero backgrounds, mail headers. */
  primary: HexColor
  secondary: HexColor
  /** Rules, stars, icons and small shapes. Too light to be read as text on the background. */
  accent: HexColor
  /** The page. */
  background: HexColor
  /** What lies on the page: cards, panels, the drawer. */
  surface: HexColor
  buttonPrimary: HexColor
  /** A quiet button, lettered in `textPrimary`. */
  buttonSecondary: HexColor
  /** The primary button under the pointer. */
  buttonHover: HexColor
  cardBorder: HexColor
  textPrimary: HexColor
  textSecondary: HexColor
}

/**
 * A collection's look and voice (specification, section 3, "Collection theme"), with what its success pages and mails say
 * (section 3, "Payment-success: collection").
 */
export type CollectionTheme = {
  id: CollectionId
  /** Short, as in a breadcrumb or a report: `Rudy`. */
  name: string
  /** In full, as in the navigation, a heading or a mail subject: `The Rudy Collection`. */
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
  /** Stands beside the way to reach us. */
  supportMessage: string
  /** With its `#`. */
  socialHashtag: string
  /** What people type who look for this collection; lower case. Searched, and given to search engines. */
  keywords: readonly string[]
  colors: ThemeColors
  /** Subject of the confirmation mail; `{orderId}` becomes the order's number without its `PF`. */
  emailSubject: `Order Confirmation PF{orderId} - ${string}`
  /** First line of thanks in the confirmation mail. */
  emailThankYouMessage: string
  petName: string
  /** The pet's own video channel, thanked and linked on the success pages. */
  channelName: string
  channelUrl: string
  /** What the success pages say under 'Payment Successful!'. */
  successMessage: string
  heroTitle: string
  heroSubtitle: string
}
