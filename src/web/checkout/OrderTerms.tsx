/** The wording follows the specification, section 5, Main checkout. */
export const OrderTerms = () => (
  <p className="text-[0.9375rem] text-ink-soft">
    By ordering you confirm that you have checked size and colour. Every item is made to order and production starts
    right after payment, so orders cannot be cancelled, modified or refunded, except for manufacturing defects.
  </p>
)
