import { say } from '#words/say.ts'

/** The cards we take (specification, section 9, Policy text), and PayPal. */
export const PaymentMarks = () => (
  <ul aria-label={say('We accept')} className="flex gap-1">
    <Mark name="Visa">
      <path
        fill="#1a1f71"
        d="m15.2 16.3-2.3 0 1.4-8.7 2.3 0-1.4 8.7Zm8.2-8.5c-.5-.2-1.2-.4-2.1-.4-2.3 0-3.9 1.2-3.9 2.9 0 1.3 1.1 2 2 2.4.9.4 1.2.7 1.2 1.1 0 .6-.7.9-1.4.9-.9 0-1.5-.1-2.3-.5l-.3-.1-.3 2c.6.3 1.6.5 2.7.5 2.4 0 4-1.2 4-3 0-1-.6-1.8-1.9-2.4-.8-.4-1.3-.7-1.3-1.1 0-.4.4-.8 1.3-.8.8 0 1.3.2 1.7.3l.2.1.4-1.9Zm6 -.2h-1.8c-.5 0-1 .2-1.2.7l-3.4 8h2.4l.5-1.3h2.9l.3 1.3h2.1l-1.8-8.7Zm-2.8 5.6.9-2.5.2-.7.3.7.5 2.5h-1.9ZM11 7.6l-2.2 5.9-.2-1.2c-.4-1.4-1.7-2.9-3.1-3.6l2 7.6h2.4l3.6-8.7H11Z"
      />
      <path fill="#f7b600" d="M6.8 7.6H3.1l0 .2c2.9.7 4.8 2.5 5.5 4.6l-.8-4c-.1-.6-.5-.8-1-.8Z" />
    </Mark>
    <Mark name="Mastercard">
      <circle cx="14" cy="12" r="6.5" fill="#eb001b" />
      <circle cx="22" cy="12" r="6.5" fill="#f79e1b" />
      <path fill="#ff5f00" d="M18 6.9a6.5 6.5 0 0 1 0 10.2 6.5 6.5 0 0 1 0-10.2Z" />
    </Mark>
    <Mark name="American Express" ground="#1f72cd">
      <path
        fill="#fff"
        transform="translate(-1.4)"
        d="M4.4 15.5 7.2 9h2.3l2.8 6.5h-2l-.5-1.2H6.9l-.5 1.2h-2Zm3.1-2.7h1.7l-.8-2.1-.9 2.1Zm5.3 2.7V9h2.7l1.6 3.7L18.7 9h2.6v6.5h-1.7v-4.6l-1.9 4.6h-1.4l-1.9-4.6v4.6h-1.6Zm9.5 0V9h5.3v1.5h-3.6v1h3.5v1.4h-3.5v1.1h3.6v1.5h-5.3Zm5.6 0 2.2-3.2L28 9h2.1l1.1 1.9L32.4 9h2l-2.1 3.2 2.2 3.3h-2.1l-1.2-2-1.2 2h-2.1Z"
      />
    </Mark>
    <Mark name="PayPal">
      {/* Its two letters. */}
      <path
        fill="#003087"
        d="M15.2 5.5h5c2.7 0 4 1.5 3.7 3.7-.4 2.7-2.2 4.2-4.9 4.2h-1.3c-.4 0-.6.3-.7.6l-.5 3.1h-3c-.3 0-.4-.2-.4-.4l1.7-10.6c0-.4.2-.6.4-.6Z"
      />
      <path
        fill="#0070e0"
        d="M24.5 9.8c1 .8 1.4 1.9 1.1 3.4-.4 2.3-2 3.6-4.4 3.6h-.9c-.3 0-.6.2-.7.6l-.4 2.1h-2.5l.9-5.6c0-.3.2-.5.6-.5h1.2c2.6 0 4.6-1.3 5.1-3.6Z"
      />
    </Mark>
  </ul>
)

const Mark = ({ name, ground = '#fff', children }: { name: string; ground?: string; children: React.ReactNode }) => (
  <li>
    <svg viewBox="0 0 36 24" role="img" aria-label={name} className="h-6 w-9">
      <rect x="0.5" y="0.5" width="35" height="23" rx="3.5" fill={ground} stroke="#1d1b19" strokeOpacity="0.16" />
      {children}
    </svg>
  </li>
)
