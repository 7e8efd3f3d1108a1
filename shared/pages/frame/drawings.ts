/** Icons on a 24 by 24 grid, in the text's colour. Separate exports let a bundle contain only the icons it uses. */
export const check = '<path d="M5 12.5l4.5 4.5L19 7.5"/>';
export const copy = '<rect x="9" y="9" width="11" height="11" rx="2.5"/><path d="M5 15V6.5A2.5 2.5 0 0 1 7.5 4H15"/>';
export const phone = '<rect x="7" y="2.5" width="10" height="19" rx="2.5"/><path d="M11 18h2"/>';
export const clock = '<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>';
export const back = '<path d="M9 5L4.5 9.5 9 14"/><path d="M5 9.5h9a5 5 0 0 1 0 10h-4"/>';
export const question =
  '<circle cx="12" cy="12" r="8.5"/><path d="M9.7 9.6a2.4 2.4 0 1 1 3.6 2.1c-.9.5-1.3 1-1.3 1.9M12 16.5v.1"/>';
export const fault = '<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5v5M12 16.2v.1"/>';
export const backspace = '<path d="M9 6h11v12H9l-5.5-6z"/><path d="M12 9.5l5 5M17 9.5l-5 5"/>';
export const close = '<path d="M6 6l12 12M18 6L6 18"/>';
export const lock = '<rect x="5" y="10.5" width="14" height="10" rx="2.5"/><path d="M8 10.5V8a4 4 0 0 1 8 0v2.5"/>';
export const again = '<path d="M19.5 12a7.5 7.5 0 1 1-2.2-5.3L19.5 9"/><path d="M19.5 4.5V9H15"/>';
export const share = '<path d="M12 15V4M8 7.5L12 3.5l4 4"/><path d="M6 11.5H5v9h14v-9h-1"/>';
export const mail = '<rect x="3.5" y="5.5" width="17" height="13" rx="2.5"/><path d="M4.5 8l7.5 5 7.5-5"/>';
export const chat = '<path d="M4 20l1.2-3.8a8 8 0 1 1 3 2.8z"/>';
export const chevron = '<path d="M9 6l6 6-6 6"/>';
/** The favicon as a data URL. */
export const tab =
  "data:image/svg+xml,%3Csvg xmlns='http:%2F%2Fwww.w3.org/2000/svg' viewBox='0 0 24 24'%3E%3Crect width='24' height='24' rx='6' fill='%2314804a'/%3E%3Cpath d='M6.5 12.5l4 4L17.5 9' fill='none' stroke='%23fff' stroke-width='2.6' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E";
