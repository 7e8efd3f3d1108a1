// Remembers the language, searches, copies and highlights the current section. The page is readable without this
// script.
const byId = (id) => document.getElementById(id);
const all = (selector) => Array.from(document.querySelectorAll(selector));

function rememberLanguage() {
  try {
    const kept = byId(`in-${localStorage.getItem('language')}`);
    if (kept) kept.checked = true;
    document
      .querySelector('fieldset')
      .addEventListener('change', ({ target }) => localStorage.setItem('language', target.value));
  } catch (_) {
    // Without browser storage, the choice lasts until the next page.
  }
}

/** Collects all sections and fields into one list: address, name, place and text. */
function collect() {
  return all('section').flatMap((section) => {
    const title = section.querySelector('h3').textContent;
    const says = section.querySelector('.text').textContent;
    const route = section.querySelector('.route');
    const place = route ? route.textContent : '';
    const own = { id: section.id, name: title, place, text: says.toLowerCase(), isField: false };
    const fields = Array.from(section.querySelectorAll('.params [id]'), (field) => {
      const name = field.querySelector('.name').textContent;
      return { id: field.id, name, place: title, text: field.textContent.toLowerCase(), isField: true };
    });
    return [own].concat(fields);
  });
}

/**
 * Finds entries that contain all words. Ranks names of routes, events, objects and errors first, then fields, then
 * text.
 */
function find(entries, words) {
  const rank = ({ name, place, text, isField }) => {
    const named = name.toLowerCase();
    if (words.every((word) => named.startsWith(word))) return isField ? 2 : 0;
    if (words.every((word) => (named + place.toLowerCase()).includes(word))) return isField ? 3 : 1;
    if (words.every((word) => text.includes(word))) return isField ? 5 : 4;
    return 6;
  };
  return [0, 1, 2, 3, 4, 5].flatMap((wanted) => entries.filter((entry) => rank(entry) === wanted)).slice(0, 40);
}

function openSearch() {
  const form = byId('search');
  const found = byId('found');
  let entries;
  form.hidden = false;
  form.addEventListener('input', () => {
    const words = byId('words').value.toLowerCase().split(/\s+/).filter(Boolean);
    entries = entries || collect();
    const hits = words.length > 0 ? find(entries, words) : [];
    found.replaceChildren.apply(found, hits.map(line));
    found.hidden = words.length === 0;
    byId('all').hidden = words.length > 0;
    byId('count').textContent = words.length > 0 ? `${hits.length || 'Nothing'} found` : '';
    byId('count').className = words.length > 0 ? 'hint' : 'unseen';
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const first = found.querySelector('a');
    if (first) first.click();
  });
}

function line({ id, name, place }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  const where = document.createElement('span');
  link.href = `#${id}`;
  link.append(name, where);
  where.className = 'hint';
  where.textContent = place;
  item.append(link);
  return item;
}

function addCopyButtons() {
  for (const figure of all('.code figure')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => {
      navigator.clipboard.writeText(figure.querySelector('code').textContent).then(() => {
        button.textContent = 'Copied';
        setTimeout(() => {
          button.textContent = 'Copy';
        }, 2000);
      });
    });
    figure.querySelector('figcaption').append(button);
  }
}

function markPlace() {
  const links = new Map(all('#all li a').map((link) => [link.hash.slice(1), link]));
  let current;
  const observer = new IntersectionObserver(
    (changes) => {
      for (const { isIntersecting, target } of changes) {
        const link = links.get(target.id);
        if (!isIntersecting || !link || link === current) continue;
        if (current) current.removeAttribute('aria-current');
        link.setAttribute('aria-current', 'true');
        current = link;
        const { top, bottom } = link.getBoundingClientRect();
        if (top < 0 || bottom > innerHeight) byId('contents').scrollTop += top - innerHeight / 2;
      }
    },
    { rootMargin: '-10% 0px -80% 0px' },
  );
  for (const section of all('section')) observer.observe(section);
}

rememberLanguage();
openSearch();
addCopyButtons();
markPlace();
// Returns to the reader's previous position.
document.querySelector('.close a').addEventListener('click', (event) => {
  event.preventDefault();
  history.back();
});
