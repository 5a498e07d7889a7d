"""The table of known data sets: published figures, files and checksums."""

# ruff: noqa: E501 (a checksum is one word)

from __future__ import annotations

from dataclasses import dataclass

_MULAN = "https://github.com/tsoumakas/mulan/tree/master/data/multi-label"
_MULAN_RAW = (
    "https://raw.githubusercontent.com/tsoumakas/mulan/"
    "43f6389095ad71984264db4387a8074b22bc7d4a/data/multi-label"
)
_MEKA = "https://github.com/Waikato/meka/tree/master/src/main/data"
_MEKA_RAW = "https://raw.githubusercontent.com/Waikato/meka/master/src/main/data"


@dataclass(frozen=True)
class KnownFile:
    """One file: its name, the SHA-256 of its content, and where it lies.

    Parameters
    ----------
    name : str
        File name.
    sha256 : str
        Checksum; a download with another one is refused.
    urls : tuple of str
        Addresses, tried in this order.
    """

    name: str
    sha256: str
    urls: tuple[str, ...]


@dataclass(frozen=True)
class KnownSet:
    """A data set of the literature.

    Parameters
    ----------
    name : str
        The name that ``load_dataset`` takes.
    n_samples, n_features, n_labels : int
        As published (MULAN counts an identifier column of genbase as a feature).
    cardinality : float
        Mean labels a row, as published (of thyroid: counted).
    home : str
        Where it is found.
    stems : tuple of str
        File names without ``.arff``, for a folder of one's own.
    files : tuple of KnownFile
        What a download fetches, joined in this order; empty where no checksum is known.
    xml : KnownFile, optional
        The MULAN label list; None for MEKA files, which count their labels.
    train_rows : tuple of (int, int), optional
        First and past-the-last row of the published training part.
    negative_value : str, optional
        The one label value that means 0, where labels have several values.
    halves_join : bool
        Whether -train and -test files, joined in this order, are the whole.
    suffixes : tuple of str
        Endings of the file's name, in the order in which they are looked for.
    """

    name: str
    n_samples: int
    n_features: int
    n_labels: int
    cardinality: float
    home: str
    stems: tuple[str, ...]
    files: tuple[KnownFile, ...] = ()
    xml: KnownFile | None = None
    train_rows: tuple[int, int] | None = None
    negative_value: str | None = None
    halves_join: bool = False
    suffixes: tuple[str, ...] = (".arff",)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Rows, features and labels."""
        return self.n_samples, self.n_features, self.n_labels


def _mulan(
    name: str,
    shape: tuple[int, int, int],
    cardinality: float,
    files: dict[str, str],
    *,
    folders: tuple[str, ...] = (),
    train_rows: tuple[int, int] | None = None,
) -> KnownSet:
    """Return a MULAN set; the last of ``files`` is its label list."""
    places = folders or (name,)
    known = [
        KnownFile(file, digest, tuple(f"{_MULAN_RAW}/{at}/{file}" for at in places))
        for file, digest in files.items()
    ]
    stem = known[0].name.removesuffix(".arff")
    in_halves = len(known) == 3
    return KnownSet(
        name,
        *shape,
        cardinality,
        f"{_MULAN}/{places[0]}",
        (stem.removesuffix("-train") if in_halves else stem,),
        tuple(known[:-1]),
        known[-1],
        train_rows,
        halves_join=in_halves or (train_rows is not None and train_rows[0] == 0),
    )


def _elsewhere(
    name: str,
    shape: tuple[int, int, int],
    cardinality: float,
    home: str,
    xml: str | None = None,
    stem: str | None = None,
) -> KnownSet:
    """Return a set of which no checksum is known: it is never downloaded."""
    labels = KnownFile(xml, "", ()) if xml else None
    return KnownSet(name, *shape, cardinality, home, (stem or name,), xml=labels)


def _classes(
    name: str, shape: tuple[int, int, int], home: str, *stems: str
) -> KnownSet:
    """Return a set with one class a row, as a MATLAB file or any other table."""
    endings = (".mat", ".arff", ".csv", ".npz")
    return KnownSet(name, *shape, 1.0, home, stems or (name,), suffixes=endings)


_SCIKIT_FEATURE = (
    "https://github.com/jundongl/scikit-feature/tree/master/skfeature/data"
)
_KMEANS_NMI = "https://github.com/sadeqa20/Kmeans-NMI-DMIFS"
_TAN = (
    "the data of Tan, Naiman, Xu, Winslow and Geman, Bioinformatics 21(20), 2005, "
    "3896-3904 (training and test rows joined)"
)

_SETS = (
    _mulan(
        "emotions", (593, 72, 6), 1.869,
        {
            "emotions.arff": "6f2f790047073d1293ac0872c0d55f2dc98b6177802fc96c6b66b309dfee1e4b",
            "emotions.xml": "dbce8e6ccbbb2fcbfd9e9edbb230d7ed12692c6e13f59fdbc0161fa9b6cf2dc0",
        },
        train_rows=(0, 391),
    ),
    _mulan(
        "yeast", (2417, 103, 14), 4.237,
        {
            "yeast.arff": "55c07a3b6ff885ae338fb6987a1d57f55572b29809922c2822c4885c61230dd7",
            "yeast.xml": "c3056cc26444b5158b1588d1b73bec9c45429e10f0957ad085903423cb81f247",
        },
        train_rows=(917, 2417),
    ),
    _mulan(
        "scene", (2407, 294, 6), 1.074,
        {
            "scene-train.arff": "b53ba93bdf412de922e3960389bcee24744fa3e872ce610511fc1d750888b64d",
            "scene-test.arff": "ea38d20296b3ff7e220f477a3b802a9bcb2d768881fe6ee163efbc97ea527a42",
            "scene.xml": "55d8b247b949ad5c52e5a73d8c6775ec6e5469ce9682465b45b333b68ee4bcc5",
        },
        train_rows=(0, 1211),
    ),
    _mulan(
        "birds", (645, 260, 19), 1.014,
        {
            "birds-train.arff": "8f215db6ee163149901e753977f631ba8bea0e0e8e1abc42b234414822f8ae36",
            "birds-test.arff": "51ba6326d65ccdd7c755b6461280eb6d2769c7f59d8e12fd4250f91e6ca28326",
            "birds.xml": "0f4ea547b2b3d538c8402662daf689e0d4520cc8b4f5ba113c2e7c01700f010f",
        },
        train_rows=(0, 322),
    ),
    _mulan(
        "flags", (194, 19, 7), 3.392,
        {
            "flags.arff": "d3ed8b5683f1b27e68069aad2c29388bb57d4caa5041b559e646cc3854a0cd1e",
            "flags.xml": "7c9ed21a91b716b91f811323e20ee5a260ea2da62a5edcfeb1b91ec855a48f17",
        },
    ),
    _mulan(
        "medical", (978, 1449, 45), 1.245,
        {
            "medical.arff": "ad0630a9a409ed0023c3bb56a0be7610b635c1ca185c6035e3b198b01167aac4",
            "medical.xml": "51fa9d5c09e48caff3f0a0c75db1c9aa85944f8e35451f3ad8bd56fc422286ce",
        },
        train_rows=(645, 978),
    ),
    _mulan(
        "enron", (1702, 1001, 53), 3.378,
        {
            "enron.arff": "d0889ef0576d4e7b5ec0df3b3e4760e476ac11a6e7d7ddeee4c4a34470dedf97",
            "enron.xml": "ed40c92d7f613eed51714912cab10dddc4ce456262137d8fef230d44c7f4457b",
        },
    ),
    _mulan(
        "bibtex", (7395, 1836, 159), 2.402,
        {
            "bibtex.arff": "a282a6d1fb3cdaf39bde3f81cd4e6079850a7a538a6bc44f8b4ed95dfe1e5014",
            "bibtex.xml": "08fe20013c1e75dcf1888c185f5187c95e76495b8518ce289b4d3afce38d1232",
        },
    ),
    _mulan(
        "delicious", (16105, 500, 983), 19.020,
        {
            "delicious.arff": "b944de0bca910050c11d97eed57d17b073110ea3646a587f3d15d127cf581aab",
            "delicious.xml": "4e0c0f93c7d86a39b9fca4aaefaa00e9428f2c80277732dfbf03ca48e2c14da2",
        },
        train_rows=(0, 12920),
    ),
    _mulan(
        "corel5k", (5000, 499, 374), 3.522,
        {
            "Corel5k-sparse.arff": "12c06161d2367f919f6da912089a6c9180c115cfcefa37afacfdeb903930eb7e",
            "Corel5k.xml": "54ef6a6ccb7ca9b77524052b34b306d5d501661a5609b9d1cc7085b2b597679d",
        },
        train_rows=(0, 4500),
    ),
    _mulan(
        "tmc2007-500", (28596, 500, 22), 2.158,
        {
            "tmc2007-500.arff": "3ea7e95dd80a78a3e7d521d77c3371bfef888da1d364b5a3bb71c7222ad7f013",
            "tmc2007-500.xml": "cb6a67c8ae72fd9b47d89f77aa5b7f6cafb4ba9c20b1124c65a95a3f2caec38d",
        },
        folders=("tmc2007", "tmc2007-500"),
        train_rows=(0, 21519),
    ),
    KnownSet(
        "thyroid", 9172, 29, 7, 0.270, _MEKA, ("thyroid-L7", "meka-thyroid-L7"),
        (
            KnownFile(
                "thyroid-L7.arff",
                "718a5ecbc325d87698126a0ddf33e15a61ad40587441ec60f4c5afc4adb9cca4",
                (f"{_MEKA_RAW}/thyroid-L7.arff",),
            ),
        ),
        negative_value="NEG",
    ),
    _elsewhere("genbase", (662, 1186, 27), 1.252, f"{_MULAN}/genbase", "genbase.xml"),
    _elsewhere("cal500", (502, 68, 174), 26.044, f"{_MULAN}/cal500", "CAL500.xml", "CAL500"),
    _elsewhere(
        "foodtruck", (407, 21, 12), 2.289, f"{_MULAN}/foodtruck", "foodtruck.xml"
    ),
    _elsewhere(
        "mediamill", (43907, 120, 101), 4.376, f"{_MULAN}/mediamill", "mediamill.xml"
    ),
    _elsewhere(
        "bookmarks", (87856, 2150, 208), 2.028, f"{_MULAN}/bookmarks", "bookmarks.xml"
    ),
    _elsewhere("tmc2007", (28596, 49060, 22), 2.158, f"{_MULAN}/tmc2007", "tmc2007.xml"),
    _elsewhere("imdb", (120919, 1001, 28), 2.000, _MEKA, stem="Imdb"),
    _classes("nci9", (60, 9712, 9), _SCIKIT_FEATURE),
    _classes("lymphoma", (96, 4026, 9), _SCIKIT_FEATURE),
    _classes("lung_small", (73, 325, 7), _SCIKIT_FEATURE),
    _classes(
        "srbct", (83, 2308, 4), "https://github.com/BIMK/VGS-MOEA", "SRBCT", "srbct"
    ),
    _classes("leukemia_4c", (72, 7129, 4), _KMEANS_NMI, "Leukemia_4c", "leukemia_4c"),
    _classes("mll", (71, 12582, 3), _KMEANS_NMI, "MLL", "mll"),
    _classes("breast", (84, 9216, 5), _TAN, "Breast", "breast"),
    _classes("cancers", (174, 12533, 11), _TAN, "Cancers", "cancers"),
    _classes("gcm", (190, 16063, 14), _TAN, "GCM", "gcm"),
    _classes("leukemia3", (327, 12558, 7), _TAN, "Leukemia3", "leukemia3"),
)  # fmt: skip

KNOWN_SETS: dict[str, KnownSet] = {known.name: known for known in _SETS}
