"""Hand-made lines in the format of the sets that keep what people answered, quirks included."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from grice.datasets import projection
from grice.datasets.nope import nope
from tests.datasets.formats import lines, put, table


def rows(*given: str, end: str = "\n") -> str:
    return end.join(given) + end


def write_scalar_diversity(folder: Path) -> None:
    root = folder / "scalar_diversity"
    head = "scale_id,weak_scalemate,strong_scalemate,weak_inflected,strong_inflected,si_neutral,si_nonneutral,category,lsa,distance,boundedness,neutral_scalar_construction,nonneutral1_scalar_construction,nonneutral2_scalar_construction,nonneutral3_scalar_construction,pos"
    three = (
        '"it is warm, but not hot.","the tea is warm, but not hot.","the soup is warm, but not'
        ' hot.","the day is warm, but not hot."'
    )
    tried = (
        '"he tried, but did not succeed.","the cook tried, but did not succeed.","the boy tried,'
        ' but did not succeed.","the girl tried, but did not succeed."'
    )
    put(
        root / "vt16.csv",
        rows(
            head,
            f"warm/hot,warm,hot,warm,hot,20,30,O,0.1,4.5,0,{three},adj",
            f"try/succeed,try,succeed,tried,succeeded,50,60,O,,5.1,1,{tried},verb",
            end="\r\n",
        ),
    )
    put(
        root / "g18.csv",
        rows(
            "weak_adj,strong_adj,upper,extreme,si_rate,negS,dist,pos,scalar_construction",
            'warm,hot,NB,non,0.25,0.5,4.1,adj,"It is warm, but not hot."',
        ),
    )
    put(
        root / "pvt21.csv",
        rows(
            "weak_adj,strong_adj,SI_rate,log_coocc,w2v_simil,bounded,extreme,weak_sentence,strong_sentence",
            "damp,wet,0.5,2.5,0.6,0,0,The towel was damp.,the towel was not wet",
        ),
    )
    put(
        root / "rx22.csv",
        rows(
            "Item,Weaker,Stronger,SI percent (Exp 1),Acessibility (Exp 2),Distinctness (Exp"
            " 3),Negated strong (Exp 4),pos",
            "1,begin,complete,50,10,12.5,20,verb",
            "2,some,all,100,20,30.5,10,det",
        ),
    )
    trials = [
        f'{who},1,{who % 2},900,begin,complete,Ann began it.,"Ann began it, but did not complete'
        ' it."'
        for who in (1, 2)
    ]
    trials += [
        f'{who},2,1,900,some,all,Ann saw some.,"Ann saw some owls, but not all."' for who in (1, 2)
    ]
    put(
        root / "rx22_exp1_trials.csv",
        rows(
            "Participant,Item,Response,RT,Weaker,Stronger,Sentence frame,scalar_construction",
            *trials,
        ),
    )


def write_some_corpus(folder: Path) -> None:
    root = folder / "some_corpus"
    head = [
        "Item",
        "workerid",
        "Rating",
        "Partitive",
        "StrengthSome",
        "Mention",
        "Subjecthood",
        "Modification",
        "Sentence",
    ]
    one = ["yes", "5.7", "new", "other", "modified", 'i ate some of the "best" plums.']
    two = ["no", "3.1", "old", "subject", "unmodified", "some owls slept."]
    body = [
        ["1:1", "22", "5", *one],
        ["1:1", "25", "4", *one],
        ["1:1", "22", "7", *one],
        ["2:2", "25", "1", *two],
    ]
    put(root / "some_database.tsv.gz", gzip.compress(table([head, *body]).encode()))
    trials = rows(
        '"","rating","checkbox","workerid","tgrep_id","sentence"',
        '"1","a name"," ",0,"bot_check",""',
        '"2","7"," ",0,"example1",""',
        '"3","6"," True",0,"1:1","i ate <strong>some, but not all</strong> of the ""best"" plums."',
        '"4","2"," False",1,"2:2","<strong>some, but not all</strong> owls slept."',
    )
    put(root / "trials_all.csv.gz", gzip.compress(trials.encode()))
    contexts = [
        ["1:1", "i ate some", "###yeah.###.###speakera1t1.###we picked --n401175 them all."],
        ["2:2", "some owls", "###uh-huh."],
    ]
    put(
        root / "contexts.tab.gz",
        gzip.compress(table([["Item_ID", "Sentence", "20-b"], *contexts]).encode()),
    )
    put(
        root / "means_speakerknowledge.csv",
        rows('"","tgrep_id","Mean","Median","Var"', '"1","2:2",0.39,0.4,0.1'),
    )
    put(
        root / "bert-base-uncased_all.csv",
        rows(
            "Item,Sentence,surprisal_at_strong,predicted_token",
            "1:1,i ate some,0.5,all",
            "2:2,some owls,2.5,all",
        ),
    )
    put(
        root / "bert_large_lstm_test_preds_epoch190.tsv",
        table([["Item_ID", "original_mean", "predicted"], ["2:2", "1.0", "2.5"]]),
    )


def write_or_corpus(folder: Path) -> None:
    root = folder / "or_corpus"
    head = '"tgrep.id","entire.sentence","Sentence_type","DE_operator","Numeral","And_test","Disjunct_relation","eitherPresent","orNotPresent"'
    put(
        root / "case-features.csv",
        rows(
            head,
            '"1:1","""tea or milk.""","declarative","negation","nonum","change","A~B","no","no"',
            '"2:2","""two or three.""","declarative","not'
            ' available","num","change","A<B","yes","no"',
        ),
    )
    database = [
        ["Item_ID", "Sentence", "sentence_butNotBoth"],
        ["1:1", "tea or milk.", "tea or milk, but not both."],
        ["2:2", "two or three.", "two or three, but not both."],
    ]
    put(root / "final_database.csv", table(database))
    answers = {"exp3": ("0.57", "0.03", "1"), "exp4": ("6", "1", "7")}
    for part, (a, b, c) in answers.items():
        put(
            root / f"{part}_data.csv",
            rows(
                '"tgrep.id","workerid","sentence_bnb","response_goodsentence","response_val","Trial","gender","age"',
                f'"1:1","7","tea or milk but not both.","good bnb sentence",{a},1,"x","9"',
                f'"2:2","7","","bad bnb sentence",{b},2,"x","9"',
                f'"1:1","9","tea or milk but not both.","bad bnb sentence",{c},1,,',
            ),
        )


def write_nope(folder: Path) -> None:
    def one(uid: str, label: str, **more: object) -> dict[str, object]:
        meta = {
            "type": "negated" if "neg" in uid else "original",
            "original_negated": False,
            "trigger_type": "clefts",
            "annotator": "ZZ",
            "nli_labels": [label] * 3 + ["N", "C"],
            "ratings": [100.0, 98.11, 90.0, 50.0, 0.0],
            **more,
        }
        return {
            "uid": uid,
            "premise": f" It was Ann who left ({uid}).",
            "hypothesis": "Somebody left.",
            "label": label,
            "metadata": meta,
        }

    main = [one("1", "E"), one("1-neg", "N"), one("2-neg", "E", original_negated=True)]
    put(folder / "nope/nli_corpus.main.jsonl.gz", gzip.compress(lines(main).encode()))
    put(folder / "nope/nli_corpus.adv.jsonl", lines([one("1-adv", "C")]))
    put(
        folder / "nope/priors.individual_ratings.csv",
        rows(
            '"","id","premise","hypothesis","response","anon_id"',
            '"1","1","It was late.","Somebody left.",51.2,22',
            '"2","1","It was late.","Somebody left.",40,7',
        ),
    )
    root = "nope/model_results/"
    models = [file.path for file in nope.card.files if file.path.startswith(root)]
    for place in (path.removeprefix(root) for path in models):
        ids = ["1-adv"] if "adv" in place else ["1", "1-neg", "2-neg"]
        if "imppres" not in place:
            answers = [
                {"uid": uid, "predicted_label": "e", "logits": [2.0, 1.0, -1.0]} for uid in ids
            ]
            put(folder / "nope_models" / f"{place}.gz", gzip.compress(lines(answers).encode()))


def write_projection(folder: Path) -> None:
    root, sets = (
        folder / "projection",
        [name for name in dict.fromkeys(projection.STIMULI.values()) if name],
    )
    put(
        root / "items/contents.csv",
        rows(
            "item,key,content,gender,fact_high,fact_low",
            "1,ann,Ann sleeps,f,Ann is tired,Ann is awake",
            "2,ben,Ben won,m,Ben trains,Ben is ill",
        ),
    )
    put(
        root / "items/predicates.csv",
        rows(
            "predicate,class,finite_form",
            "know,factive,knows",
            "think,nonveridical nonfactive,thinks",
        ),
    )
    stimuli = [
        f"{name},{verb},{item},{{subject}} {verb}s that {what}."
        for name in sets
        for verb in ("know", "think")
        for item, what in (("1", "Ann sleeps"), ("2", "Ben won"))
    ]
    put(root / "items/stimuli.csv", rows("set,predicate,item,text", *stimuli))
    everywhere = " ".join([*projection.STIMULI, "1q", "1n", "1m", "1c"])
    put(
        root / "items/controls.csv",
        rows(
            "experiments,item,predicate,fact,text,content",
            f"{everywhere},c1,MC,,Is it raining?,it is raining",
        ),
    )
    for part in ("exp1a", "exp2a", "exp3a", "exp1b", "exp2b", "exp3b"):
        high, low = ("1", "0") if part.endswith("b") else ("0.75", "0.25")
        put(
            root / f"responses/{part}.csv",
            rows(
                "participant,predicate,item,condition,response",
                f"4,know,1,target,{high}",
                f"4,think,2,target,{low}",
                f"4,MC,c1,control,{low}",
                f"9,know,2,target,{high}",
                f"9,think,1,target,{low}",
                f"9,know,1,target,{low}",
            ),
        )
    put(
        root / "responses/prior1.csv",
        rows(
            "participant,predicate,item,prior_condition,prior,certainty,certainty_block",
            "4,know,1,high,0.9,0.8,block1",
            "4,MC,c1,control,0.5,0.1,block1",
            "9,know,1,low,0.2,0.6,block2",
        ),
    )
    put(
        root / "responses/prior2a.csv",
        rows(
            "participant,item,prior_condition,prior",
            "4,1,high,0.9",
            "9,1,low,0.1",
            "9,c1,control,0.5",
        ),
    )
    put(
        root / "responses/prior2b.csv",
        rows(
            "participant,predicate,item,prior_condition,certainty",
            "4,know,1,high,0.9",
            "4,MC,c1,control,0",
        ),
    )
    operators = [
        f"1{name[0]},{name},{who},{verb},{item},target,{value},0.5,block1"
        for name in projection.OPERATORS
        for who in (1, 2)
        for verb, item, value in (("know", who, "0.9"), ("think", 3 - who, "0.2"))
    ]
    text = rows(
        "experiment,operator,participant,predicate,item,condition,certainty,not_at_issue,certainty_block",
        *operators,
    )
    put(
        root / "responses/operators.csv.gz",
        gzip.compress(text.replace("1q,question,1,know,1", "1q,question,1,know,1").encode()),
    )


def write_megaveridicality(folder: Path) -> None:
    head = '"sentence","verb","frame","voice","polarity","conditional","Mean","low.ci","high.ci","SD","C"'
    said = [
        (
            "\"Someone didn\\'t know that a thing"
            ' happened.","know","that_S","active","negative","False",0.5,0,0,0,2'
        ),
        '"John knew that a thing happened","know","that_S","active","positive","True",0.75,0,0,0,2',
        (
            '"Someone knew that a thing'
            ' happened.","know","that_S","active","positive","False",1,0,0,0,2'
        ),
        (
            '"A person hoped to do a'
            ' thing.","hope","to_VPeventive","active","positive","False",0.25,0,0,0,2'
        ),
    ]
    put(folder / "megaveridicality/aMV2.csv", rows(head, *said))
    kinds = (
        "positive,False,yes",
        "positive,False,yes",
        "negative,False,yes",
        "negative,False,no",
        "positive,True,yes",
        "positive,True,maybe",
    )
    given = [f"{i % 2},0,1,know,that_S,active,{kind},6,True,False" for i, kind in enumerate(kinds)]
    given.append("7,0,1,know,that_S,active,positive,False,no,6,False,True")
    put(
        folder / "megaveridicality/mega-veridicality-v1.csv",
        rows(
            "participant,list,presentationorder,verb,frame,voice,polarity,conditional,veridicality,acceptability,nativeenglish,exclude",
            *given,
        ),
    )


def write_proviso(folder: Path) -> None:
    items = [
        {
            "id": i,
            "title": "having a net",
            "probability": band,
            "statement_1": f"If Ann fishes on day {i}, she will bring her net.",
            "statement_2": "Ann has a net.",
            "background": "Ann is from Ulm.",
        }
        for i, band in enumerate(("high", "mid", "low"), 1)
    ]
    put(folder / "proviso/problem_set.json", json.dumps(items))
    said = [
        {
            "model": model,
            "name": model,
            "context": context,
            "id": i,
            "rating": None if context and i == 3 else 4 + i - 1,
            "response": "…",
        }
        for model in ("gpt5", "llama")
        for context in (True, False)
        for i in (1, 2, 3)
    ]
    put(folder / "proviso/likert_outputs.jsonl.gz", gzip.compress(lines(said).encode()))


PEOPLE = (
    write_scalar_diversity,
    write_some_corpus,
    write_or_corpus,
    write_nope,
    write_projection,
    write_megaveridicality,
    write_proviso,
)
