import type { Appearance, LayoutObject, StripeConstructorOptions } from '@stripe/stripe-js'
import { spokenLanguage } from '#shared/language.ts'

/** Stripe's form speaks the page's language; on English pages the browser's. */
export const stripeOptions = (): StripeConstructorOptions => {
  const language = spokenLanguage()
  return { locale: language === 'en' ? 'auto' : language }
}

/** The card and whatever else the account offers, one below the other; a card alone has only its fields. */
export const paymentLayout: LayoutObject = {
  type: 'accordion',
  defaultCollapsed: false,
  radios: 'auto',
  spacedAccordionItems: false,
  paymentMethodLogoPosition: 'end',
}

/**
 * Stripe renders its fields in an iframe, which knows nothing of the page: the theme as values. Its list of ways to pay is a box like
 * the order's.
 * @param place where its form comes
 */
export function paymentAppearance(place: Element): Appearance {
  const look = getComputedStyle(place)
  const theme = (name: string) => look.getPropertyValue(`--theme-${name}`).trim()
  return {
    theme: 'stripe',
    variables: {
      colorPrimary: theme('text-primary'),
      colorText: theme('text-primary'),
      colorTextSecondary: theme('text-secondary'),
      colorDanger: '#9c2b1f',
      colorBackground: theme('surface'),
      fontFamily: "'Instrument Sans', Arial, sans-serif",
      fontSizeBase: '16px',
      borderRadius: theme('radius'),
      gridRowSpacing: '16px',
      gridColumnSpacing: '16px',
    },
    rules: {
      '.AccordionItem': {
        padding: '12px 16px',
        border: `1px solid ${theme('card-border')}`,
        boxShadow: 'none',
      },
      '.AccordionItem--selected': { paddingBottom: '20px' },
      // As the page's own fields: 45 % of the text's color.
      '.Input': { border: `1px solid ${theme('text-primary')}73`, boxShadow: 'none' },
    },
  }
}
