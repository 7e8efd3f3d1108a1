/** Where the service is, in the document as it is kept; the service puts its own address in this one's place. */
export const EXAMPLE_BASE_URL = 'https://pay.example.com';
