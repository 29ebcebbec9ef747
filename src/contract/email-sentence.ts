/** Beside every field that takes an email address (specification, section 8). Apart from the schemas, which pages do without. */
export const EMAIL_SENTENCE = 'Please enter a valid email address'
