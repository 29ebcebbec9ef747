declare module 'react' {
  // React's own way to declare elements.
  // oxlint-disable-next-line typescript/no-namespace
  namespace JSX {
    interface IntrinsicElements {
      /** Defined by PayPal's script. */
      'paypal-button': React.HTMLAttributes<HTMLElement> & { type: 'pay' }
    }
  }
}

/** Drawn by PayPal's script, in the color of the express buttons. */
export const PaypalButton = ({ onClick }: { onClick: () => void }) => (
  <paypal-button
    type="pay"
    className="paypal-white h-12 min-w-0! [--paypal-button-border-radius:var(--radius-card)]"
    onClick={onClick}
  />
)
