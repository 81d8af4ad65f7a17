"""The numbers and examples Ross & Pavlick (2019) print."""

from __future__ import annotations

import re
from pathlib import Path

from grice.core.paper import read_printed

_TABLES = read_printed(Path(__file__).with_suffix(".txt"))

SIGNATURES = ("+/+", "+/-", "-/+", "o/+", "o/-", "-/o", "+/o", "o/o")

TABLE_2 = {
    "+/+": """realize that (34) know that (32) remember that (17) find that (12) notice that (12) reveal that (12)
        acknowledge that (11) admit that (11) learn that (11) observe that (11) see that (11) note that (10) recognize that (10)
        understand that (10) discover that (8)""",
    "+/-": "manage to (30) begin to (12) serve to (11) start to (11) dare to (8) use to (7) get to (6) come to (5)",
    "-/+": "forget to (15) fail to (10)",
    "o/+": "suspect that (11) explain that (10) mean to (10) predict that (10)",
    "o/-": "attempt to (28)",
    "-/o": "refuse to (36) decline to (12) remain to (7)",
    "+/o": "show that (12) confirm that (11) demonstrate that (10) ensure that (9) help to (9) tend to (8)",
    "o/o": """try to (34) hope that (20) hope to (18) mention that (14) like to (12) continue to (12) expect that (12) agree that (12)
        love to (12) reply that (12) conclude that (12) say that (12) complain that (12) speculate that (12) state that (12)
        suggest that (12) worry that (12) mean that (12) intend to (11) insist that (11) imply that (11) indicate that (11)
        plan to (11) promise to (11) prove to (11) saw that (11) seem that (11) tell that (11) think that (11) felt that (11)
        write that (11) decide to (11) assume that (11) believe that (11) assert that (11) concern that (11) estimate that (11)
        convince that (11) decide that (11) appear that (11) argue that (11) aim to (11) cease to (10) strive to (10)
        proceed to (10) choose to (10) seem to (10) prove that (10) provide that (10) seek to (10) appear to (10) comment that (10)
        contend that (10) want to (10) doubt that (10) feel that (10) fear that (10) agree to (10) announce that (9) claim that (9)
        struggle to (9) hear that (9) propose to (9) wish to (9) say to (9) turn to (8) wish that (8) work to (8) advise that (8)
        move to (8) claim to (8) expect to (8) report that (8) happen to (8) propose that (8) hold that (8) declare that (8)
        prefer to (8) need to (8) give that (7) deserve to (7) threaten to (7) exist to (7) be that (7) prepare to (6) wait to (6)
        pretend to (6) ask to (6) return to (6) request that (5) demand that (4) recommend that (4) require that (4)""",
}  # fmt: skip

TABLE_5 = _TABLES["TABLE_5"]

# D* against the target verb's own answers and against all answers, for two kinds of replacement.
TABLE_7 = _TABLES["TABLE_7"]

TABLE_8 = _TABLES["TABLE_8"]


def table_2() -> dict[str, tuple[str, int]]:
    """Each printed construction with its signature and its number of sentences."""
    return {
        verb: (signature, int(count))
        for signature, text in TABLE_2.items()
        for verb, count in re.findall(r"(\w+ (?:to|that)) \((\d+)\)", text)
    }
