import { sayNotice } from '#domain/checkout/notices.ts'

/** What a product page says about shipping, which the API says in English. */
export const Disclosure = ({ sentence }: { sentence: string }) => sayNotice(sentence)
