//! Random graphs of kernels, children and conditionals, against a serial model: how often each kernel runs, over several
//! launches, edits and copies.

use super::building::Built;
use super::conditionals::{Deciding, IF, IF_ELSE, WHILE};
use super::*;

/// A node of the model.
enum Model {
    /// Makes the mark with that number.
    Mark(usize),
    Child(Vec<Model>),
    /// A condition by number, and bodies.
    Decide(usize, ConditionalKind, Vec<Vec<Model>>),
    /// Winds a countdown down by one and sets its condition to what is left.
    CountDown(usize),
}

/// A condition of the model.
struct Value {
    default: u32,
    value: u32,
    /// Rest of its countdown.
    left: u64,
}

struct Maker<'a> {
    deciding: &'a Deciding,
    random: Random,
    marks: &'a [Mark],
    used: usize,
    counters: &'a [AtomicU64],
    conditions: Vec<(ConditionId, Value)>,
    /// Kernels that can be disabled, by mark.
    kernels: Vec<(NodeId, usize)>,
}

impl Maker<'_> {
    /// Fills a graph with a chain, so that the model is serial. Conditionals are for graphs that no other copies.
    fn fill(&mut self, graph: GraphId, depth: usize, can_decide: bool) -> Vec<Model> {
        let mut made = Vec::new();
        let mut last: Option<NodeId> = None;
        for _ in 0..1 + self.random.below(4) {
            let before = last.as_slice();
            let driver = self.deciding.driver();
            let (node, model) = match self.random.below(6) {
                0 if depth > 0 => {
                    let child = driver.graph_create().unwrap();
                    let within = self.fill(child, depth - 1, false);
                    let node = driver.graph_add_node(graph, before, &Work::Child(child)).unwrap();
                    driver.graph_destroy(child);
                    (node, Model::Child(within))
                }
                kind @ 1..=3 if depth > 0 && can_decide => {
                    let default = [0, 0, 1, 2][self.random.below(4)];
                    let kind = [IF, IF_ELSE, WHILE, (ConditionalKind::Switch, 3)][(kind + self.random.below(2)) % 4];
                    let number = self.conditions.len();
                    let condition = self.deciding.condition(default);
                    let left = self.random.below(4) as u64;
                    self.counters[number].store(left, Ordering::Relaxed);
                    self.conditions.push((condition, Value { default, value: 0, left }));
                    let (node, graphs) = self.deciding.node(graph, before, condition, kind);
                    let mut bodies: Vec<Vec<Model>> =
                        graphs.iter().map(|&body| self.fill(body, depth - 1, true)).collect();
                    if kind == WHILE {
                        // Ends each turn, behind all other nodes.
                        let others = self.deciding.driver().graph_nodes(GraphRef::Known(graphs[0])).unwrap().nodes;
                        let counter = &self.counters[number];
                        self.deciding.kernel(graphs[0], &others, self.deciding.count_down, counter, condition);
                        bodies[0].push(Model::CountDown(number));
                    }
                    (node, Model::Decide(number, kind.0, bodies))
                }
                _ if self.used + 1 < self.marks.len() => {
                    self.used += 1;
                    let node = self.deciding.marked(graph, before, &self.marks[self.used]);
                    if can_decide {
                        self.kernels.push((node, self.used));
                    }
                    (node, Model::Mark(self.used))
                }
                _ => break,
            };
            made.push(model);
            last = Some(node);
        }
        made
    }
}

/// Runs the model and counts.
fn run(models: &[Model], values: &mut [(ConditionId, Value)], off: &[usize], runs: &mut [u64]) {
    for model in models {
        match model {
            Model::Mark(mark) => runs[*mark] += u64::from(!off.contains(mark)),
            Model::Child(within) => run(within, values, off, runs),
            Model::CountDown(number) => {
                let value = &mut values[*number].1;
                value.left = value.left.saturating_sub(1);
                value.value = value.left as u32;
            }
            Model::Decide(number, kind, bodies) => {
                let value = values[*number].1.value;
                match kind {
                    ConditionalKind::If if value != 0 => run(&bodies[0], values, off, runs),
                    ConditionalKind::If => bodies.get(1).into_iter().for_each(|body| run(body, values, off, runs)),
                    ConditionalKind::Switch => {
                        bodies.get(value as usize).into_iter().for_each(|body| run(body, values, off, runs));
                    }
                    ConditionalKind::While => {
                        while values[*number].1.value != 0 {
                            run(&bodies[0], values, off, runs);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn random_graphs_run_as_a_serial_model_does() {
    let mut decided = 0;
    for seed in 0..rounds(10_000) as u64 {
        let deciding = Deciding::new();
        let marks: Vec<Mark> = (0..60).map(|_| Mark::default()).collect();
        let counters: Vec<AtomicU64> = (0..400).map(|_| AtomicU64::new(0)).collect();
        let mut maker = Maker {
            deciding: &deciding,
            random: Random(seed),
            marks: &marks,
            used: 0,
            counters: &counters,
            conditions: Vec::new(),
            kernels: Vec::new(),
        };
        let Built { graph, .. } = deciding.built;
        let models = maker.fill(graph, 4, true);
        let Maker { mut random, conditions: mut values, kernels, .. } = maker;
        decided += values.len();
        let driver = deciding.driver();
        let exec = deciding.built.instantiate();
        let mut expected = vec![0; marks.len()];
        let mut off = Vec::new();
        for _ in 0..4 {
            for (_, value) in &mut values {
                value.value = value.default;
            }
            run(&models, &mut values, &off, &mut expected);
            deciding.run(exec);
            assert_eq!(marks.iter().map(Mark::runs).collect::<Vec<_>>(), expected, "seed {seed}");
            if let Some(&(node, mark)) = kernels.get(random.below(kernels.len() + 1)) {
                let is_off = !off.contains(&mark);
                driver.exec_enable(exec, node, !is_off).unwrap();
                off.retain(|other| *other != mark);
                off.extend(is_off.then_some(mark));
            }
        }
        // A graph without conditions is copied, and the copy runs as it does.
        if values.is_empty() {
            let clone = driver.graph_clone(graph).unwrap();
            driver.graph_destroy(graph);
            run(&models, &mut values, &[], &mut expected);
            deciding.run(driver.graph_instantiate(clone).unwrap().0);
            assert_eq!(marks.iter().map(Mark::runs).collect::<Vec<_>>(), expected, "the copy of seed {seed}");
        }
    }
    assert!(decided > rounds(10_000), "the graphs have conditionals");
}
