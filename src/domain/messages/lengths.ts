/** Maximum characters of a message. Separate because the page loads the form's rules only when somebody types. */
export const MESSAGE_MAX = 5000
