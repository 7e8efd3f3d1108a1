import { close } from '../../frame/drawings.ts';

/** Dashboard icons on a 24 by 24 grid, for the checkout's `icon` function. */
export const icons = {
  today: '<path d="M4 11l8-6.5 8 6.5"/><path d="M6 9.5V19h12V9.5"/>',
  charges: '<path d="M6 3.5h12v17l-3-2-3 2-3-2-3 2z"/><path d="M9.5 8.5h5M9.5 12.5h5"/>',
  texts: '<path d="M4 20l1.2-3.8a8 8 0 1 1 3 2.8z"/>',
  till: '<path d="M4 13h16v7H4z"/><path d="M6 13l1.5-6h9L18 13M9 10h6M10 16.5h4"/>',
  more: '<path d="M5 7h14M5 12h14M5 17h14"/>',
  test: '<path d="M9.5 3.5h5M10.5 3.5v6L5 19a1.2 1.2 0 0 0 1 1.8h12a1.2 1.2 0 0 0 1-1.8l-5.5-9.5v-6"/><path d="M7.5 15h9"/>',
  reports: '<path d="M5 20V11M12 20V4M19 20v-6"/>',
  settings: '<path d="M4 8h9M17 8h3M4 16h3M11 16h9"/><circle cx="15" cy="8" r="2"/><circle cx="9" cy="16" r="2"/>',
  team: '<circle cx="9" cy="8.5" r="3.5"/><path d="M3 20a6 6 0 0 1 12 0"/><path d="M16 5.5a3.5 3.5 0 0 1 0 6M18 15a6 6 0 0 1 3 5"/>',
  phones: '<rect x="7" y="2.5" width="10" height="19" rx="2.5"/><path d="M11 18h2"/>',
  money: '<rect x="3" y="6" width="18" height="12" rx="2.5"/><circle cx="12" cy="12" r="2.5"/>',
  repair:
    '<path d="M14.5 6.5a4 4 0 0 1 5-1l-2.7 2.7 1 2 2 1L20 8a4 4 0 0 1-5.5 4.5L7 20l-3-3 7.5-7.5a4 4 0 0 1 3-3z"/>',
  up: '<path d="M15 6l-6 6 6 6"/>',
  next: '<path d="M9 6l6 6-6 6"/>',
  dash: '<path d="M6 12h12"/>',
  close,
};
