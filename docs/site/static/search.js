// The search page. Pagefind finds the pages that have a word; here a question of several words is put together: a page counts more for
// rare words, and for more of them. So a question in plain words finds the page that answers, although no page has all of its words.

const COMMON = new Set(
  `a about after all also am an and another any are as at be been but by can cannot could did do does for from get gives had has have
  how i if in into is it its like made make may me more must my no not of off on one only or other our out over own same should so some
  such take than that the their them then there these they this through to under up us use used uses using was way we were what when
  where which while who whole why will with without would you your`.split(/\s+/),
);
const SHOWN = 10;
// A long page of the reference that has an entry of the name asked for comes before a short page that only uses it.
export const RANKING = { pageLength: 0.3, termFrequency: 0.6, metaWeights: { title: 6, words: 4 } };
const base = new URL("../", import.meta.url);

const words = (question) => {
  const all = question.toLowerCase().split(/[^\p{L}\p{N}_:+]+/u).filter(Boolean);
  const rare = all.filter((word) => !COMMON.has(word));
  return [...new Set(rare.length ? rare : all)];
};

// Pages by their score for a question: the sum over its words of how rare the word is and how much the page is about it.
export async function find(pagefind, question) {
  const pages = new Map();
  for (const word of words(question)) {
    const { results } = await pagefind.search(word);
    const best = Math.max(...results.map((result) => result.score), 1e-9);
    const rare = Math.log(1 + 100 / Math.max(results.length, 1));
    for (const result of results) {
      const page = pages.get(result.id) ?? { result, score: 0, words: 0 };
      page.score += rare * (result.score / best);
      page.words += 1;
      pages.set(result.id, page);
    }
  }
  return [...pages.values()].sort((one, other) => other.score - one.score).map((page) => page.result);
}

function entry(page) {
  const item = document.createElement("li");
  const link = (target, text) => {
    const made = document.createElement("a");
    made.href = target;
    made.textContent = text;
    return made;
  };
  item.append(link(page.url, page.meta.title));
  const excerpt = document.createElement("p");
  excerpt.innerHTML = page.excerpt; // Pagefind escapes the text, and marks the words.
  item.append(excerpt);
  const parts = page.sub_results.filter((part) => part.title !== page.meta.title).slice(0, 3);
  if (parts.length) {
    const list = document.createElement("ul");
    for (const part of parts) {
      const row = document.createElement("li");
      row.append(link(part.url, part.title));
      list.append(row);
    }
    item.append(list);
  }
  return item;
}

async function main() {
  const form = document.getElementById("search-form");
  const input = document.getElementById("search-words");
  const state = document.getElementById("search-state");
  const list = document.getElementById("search-results");
  const pagefind = await import(new URL("pagefind/pagefind.js", base));
  await pagefind.options({ baseUrl: base.pathname, excerptLength: 24, ranking: RANKING });
  let asked = 0;

  const search = async () => {
    const question = input.value.trim();
    const mine = ++asked;
    const results = question ? await find(pagefind, question) : [];
    const pages = await Promise.all(results.slice(0, SHOWN).map((result) => result.data()));
    if (mine !== asked) return;
    list.replaceChildren(...pages.map(entry));
    state.textContent = question ? `${results.length} pages` : "Words, a question, or a name of CUDA.";
    list.dataset.question = question;
  };
  input.value = new URLSearchParams(location.search).get("q") ?? "";
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    history.replaceState(null, "", `?q=${encodeURIComponent(input.value)}`);
    search();
  });
  let timer;
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, 200);
  });
  await search();
}

if (document.getElementById("search-form")) main();
